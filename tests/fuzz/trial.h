// A command line of Espalier's in a process of its own, held against what holds for all of them.
#pragma once

#include <string>
#include <vector>

namespace espalier::fuzz {

struct Trial {
  int status = -1;  // the exit status; 128 + the signal's number where one ended it
  std::string output, messages;
  long peak_mib = 0;
};

// Ended after `seconds` of processor time.
Trial run_trial(const std::vector<std::string>& arguments, const std::string& folder,
                int seconds = 10);

// What no input may bring about: a signal, a status besides 0 and 1, a failure without a message,
// success with one, messages that are no diagnostics; "" where all is well.
std::string fault(const Trial&);

}  // namespace espalier::fuzz
