// The way of a program through the compiler: one table of passes, read top to bottom.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/session.h"
#include "fun/module.h"
#include "loop/loop.h"
#include "wave/wave.h"

namespace espalier::driver {

enum class Stage { fun, wave, loop };

std::string_view stage_name(Stage);

// The module of `stage` is there; the others are not.
struct Program {
  Stage stage = Stage::fun;
  std::optional<fun::Module> fun;
  std::optional<wave::Module> wave;
  std::optional<loop::Module> loop;
  std::string done;  // the last pass; "" before the first
};

std::string print(const Program&);

struct Pass {
  std::string_view name;
  Stage from, to;
  bool optional;  // --disable may leave it out, and the answers stay
  std::string_view purpose;
  bool (*run)(Program&, Session&);  // false where diagnostics were reported
};

const std::vector<Pass>& pipeline();

// Checks the names given to --disable, --print-after and --stop-after.
bool check_pass_names(Session&);

// Runs the passes behind `program.done` up to and including the last one whose result is of stage
// `until` (or --stop-after). Alone verifies before and after each, times them, and prints programs.
bool run_pipeline(Program&, Stage until, Session&);

}  // namespace espalier::driver
