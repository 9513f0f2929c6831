// Messages about the user's input: collected, ordered, and printed in one form.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"

namespace espalier {

enum class Kind : std::uint16_t;  // base/kinds.h

std::string_view kind_id(Kind);    // "E012"
std::string_view kind_name(Kind);  // "unknown-name"

struct Note {
  Loc loc;
  std::string message;
};

struct Diagnostic {
  Kind kind{};
  Loc loc;
  std::string message;  // one lower-case sentence in the user's words, no full stop
  std::vector<Note> notes;
};

// The mistakes found so far. Passes go on after a mistake where they can, so that one run shows
// many.
class Diagnostics {
 public:
  // Returns the new diagnostic, so that the caller can add notes. Repeats of the same kind at the
  // same place are dropped.
  Diagnostic& error(Kind, Loc, std::string message);
  bool ok() const { return all_.empty(); }
  const std::vector<Diagnostic>& all() const { return all_; }

 private:
  std::vector<Diagnostic> all_;
  Diagnostic dropped_;
};

// "model.json:3:14: error: unknown name 'hiden' [E012 unknown-name]", the line with a caret, the
// JSON pointer, then the notes in the same form. Ends with a newline.
std::string format(const Diagnostic&, const Sources&, bool colour);
// The same as one line of JSON: {"id", "name", "file", "line", "column", "pointer", "message",
// "notes"}.
std::string format_json(const Diagnostic&, const Sources&);

// The member of `known` nearest to `name` if it is near enough to be a slip of the pen, else "".
std::string nearest(std::string_view name, const std::vector<std::string>& known);
// "; did you mean 'hidden'?", or "" where nothing is near.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);

}  // namespace espalier
