// The verbs of the command line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "driver/session.h"

namespace espalier::driver {

// Options that several verbs have in common; which ones each group holds stands in options.cc.
enum class OptionGroup {
  model,
  pipeline,
  emission,
  package,
  input,
  results,
  expand,
  stage,
  folder,
  schema,
};

struct Verb {
  std::string_view name, purpose, examples;
  std::vector<OptionGroup> groups;
  // Does the work, writes to standard output; false where diagnostics were reported.
  bool (*run)(Session&);
};

// Each in the file of its name.
bool check(Session&);
bool compile(Session&);
bool explain(Session&);
bool lint(Session&);
bool print(Session&);
bool run(Session&);
bool schema(Session&);
bool verify(Session&);

const std::vector<Verb>& verbs();
std::vector<std::string> verb_names();

}  // namespace espalier::driver
