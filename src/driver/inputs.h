// What entries are run on.
#pragma once

#include <memory>

#include "base/forest.h"
#include "base/result.h"
#include "driver/emitted.h"
#include "eval/outcome.h"
#include "fun/module.h"
#include "read/input.h"

namespace espalier::driver {

struct RunCase {
  std::string title;  // of the structure: "" where it has no name
  fun::Entry entry;
  ForestData forest;
  CallsData calls;
  std::shared_ptr<const read::InputFile> file = nullptr;  // where it was read, if that is known
};

// What went wrong with a case, at the node or call of the input that the status names.
void report_status(const eval::Status&, const RunCase&, const fun::Module& core, Session&);

// Every structure of --input for every entry that is asked for, or whose arguments it has.
Result<std::vector<RunCase>> read_cases(const fun::Module& core, Session&);

// The same for the emitted program; they refer to `cases`.
std::vector<EmittedProgram::Case> emitted_cases(const loop::Module&,
                                                const std::vector<RunCase>& cases);

}  // namespace espalier::driver
