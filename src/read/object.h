// Checks that every JSON object of a model goes through.
#pragma once

#include <string>
#include <vector>

#include "read/json.h"

namespace espalier::read {

// A file under examination.
struct Reading {
  const JsonFile* file;
  Diagnostics* diagnostics;

  Diagnostic& error(Kind kind, const Json& at, std::string message) const {
    return diagnostics->error(kind, file->loc(at), std::move(message));
  }
  Diagnostic& error(Kind kind, const JsonText& key, std::string message) const {
    return diagnostics->error(kind, file->key_loc(key), std::move(message));
  }
};

// Whether `json` has the kind; a diagnostic otherwise. `what` says what it is: "dims", "a body".
bool expect(const Reading&, const Json&, Json::Kind, const std::string& what);
// Reports keys that are not in `known`, with the nearest that is.
bool check_keys(const Reading&, const Json& object, const std::vector<std::string>& known,
                const std::string& what);
// The value of a key that has to be there; null after a diagnostic.
const Json* need(const Reading&, const Json& object, const std::string& key,
                 const std::string& what);
// Whether `key` is a name of the language; `what` says whose: "a dim".
bool check_name(const Reading&, const JsonText& key, const std::string& what);

}  // namespace espalier::read
