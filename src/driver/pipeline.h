// The way of a program through the compiler: one table of passes, read top to bottom.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/origin.h"
#include "driver/session.h"
#include "fun/module.h"
#include "loop/loop.h"
#include "to_loop/to_loop.h"
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
  to_loop::Options lowering = {false, false, false, false};
  std::string done;      // the last pass, run or disabled; "" before the first
  bool stopped = false;  // by --stop-after
  // What it was lowered from; of IR text that was written by hand there is no model.
  Origin origin;
  bool has_model = true;
};

// As text to be read back. Behind fun, the first line says which pass was the last, so that reading
// goes on behind it; a fun program is a model, and begins again at the first pass. The origin is
// not printed with it.
std::string print(const Program&);
inline constexpr std::string_view done_mark = "# after ";

struct Pass {
  std::string_view name;
  Stage from, to;
  bool optional;  // --disable may leave it out, and the answers stay
  std::string_view purpose;
  bool (*run)(Program&, Session&);  // false where diagnostics were reported
  bool choice = false;  // changes nothing but how a later pass works, which IR text does not hold
};

const std::vector<Pass>& pipeline();

// Checks the names given to --disable, --print-after and --stop-after.
bool check_pass_names(Session&);

// Runs the passes behind `program.done` up to and including the last one whose result is of stage
// `until` (or --stop-after). Alone verifies before and after each, times them, and prints programs.
bool run_pipeline(Program&, Stage until, Session&);

}  // namespace espalier::driver
