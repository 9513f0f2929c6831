// One run of the compiler: its options, the files that it read, what it found wrong.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "driver/options.h"

namespace espalier::driver {

struct Session {
  Options options;
  Sources sources;
  Diagnostics diagnostics;
  std::string at_work;  // the pass or verb at work, named where a Bug ends the run
  std::string program;  // the program before it, as IR text
};

// A line on standard error for the person who waits; none where messages are for programs.
void say(const Session&, const std::string& line);

// Exit status: 0, 1 for the user's mistakes, 2 for ours.
int run(int argc, const char* const* argv);

}  // namespace espalier::driver
