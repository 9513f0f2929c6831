// Structures as data: forests and calls in JSON (contract.md).
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/forest.h"
#include "base/result.h"
#include "fun/module.h"
#include "read/json.h"

namespace espalier::read {

// A gradient's seed for one result: a row per call.
struct Seed {
  std::string gradient, result;
  std::vector<std::int64_t> shape;
  std::vector<double> values;
};

// What one function is called on. The tables are those of fun::forest_of and fun::arguments_of.
struct Input {
  ForestData forest;
  CallsData calls;
  std::vector<Seed> seeds;
};

struct InputOptions {
  std::map<std::string, std::string> columns;  // column of the columnar form -> payload field
  bool calls_optional = false;  // roots may be absent: outputs for every node need none
};

// An input file, whose form was recognized: one structure, called "", or several with names.
class InputFile {
 public:
  static Result<InputFile> open(Sources*, const std::filesystem::path&, Diagnostics*);
  static Result<InputFile> open(Sources*, std::string name, std::string text, Diagnostics*);

  std::vector<std::string> structures() const;
  std::vector<std::string> keys() const;  // of all structures: "nodes", or columns, and the like
  // Whether every structure has a column for every argument of the function.
  bool has_arguments(const fun::Function&) const;
  // The structure's data for calls of `function`. Faults of structure (a cycle, a child out of
  // range) that the data can hold are left to the program.
  Result<Input> read(const std::string& structure, const fun::Module&, const fun::Function&,
                     const InputOptions&, Diagnostics*) const;

  // Where a node, or a row of an argument's column, stands, for what only running finds out: the
  // first number `value` under the node's `keys` or in the row, if there is one, else all of it.
  Loc place_of_node(const std::string& structure, std::int64_t node,
                    const std::vector<std::string>& keys, std::int64_t value) const;
  Loc place_of_call(const std::string& structure, const std::string& argument, std::int64_t row,
                    std::int64_t value) const;

 private:
  explicit InputFile(JsonFile file) : file_(std::move(file)) {}
  bool recognize(Diagnostics*);

  const Json* structure(const std::string&) const;  // null if there is none

  JsonFile file_;
  bool several_ = false;  // the file's members are structures
};

// All structures of a file for calls of one function.
Result<std::vector<std::pair<std::string, Input>>> read_input(Sources*,
                                                              const std::filesystem::path&,
                                                              const fun::Module&,
                                                              const fun::Function&,
                                                              const InputOptions&, Diagnostics*);

}  // namespace espalier::read
