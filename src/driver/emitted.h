// Emitted code, compiled with the system's compiler and run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/forest.h"
#include "base/result.h"
#include "driver/session.h"
#include "eval/outcome.h"
#include "loop/loop.h"

namespace espalier::driver {

// An emitted package in a temporary folder, with a program around it that reads weights, forests
// and calls from a file and writes statuses and results.
class EmittedProgram {
 public:
  // Emits and compiles it, by Makefile.gen and so with its settings (CXX, CXXFLAGS, ARCH, ..).
  static Result<std::unique_ptr<EmittedProgram>> build(const loop::Module&, Session&);

  struct Case {
    int entry;  // of the module
    const ForestData& forest;
    const CallsData& calls;
  };
  // The outcomes of all cases, in order. Floats come as the package computes them.
  Result<std::vector<eval::Outcome>> run(const eval::Weights&, const std::vector<Case>&,
                                         int threads, Session&) const;

 private:
  explicit EmittedProgram(const loop::Module& module) : module_(module) {}
  std::string input(const eval::Weights&, const std::vector<Case>&) const;
  bool read_outcomes(const std::string& bytes, const std::vector<Case>&,
                     std::vector<eval::Outcome>*) const;

  const loop::Module& module_;
  std::vector<std::string> codes_;
  TempFolder folder_;
};

// The source of that program, and the names that the evaluator gives its status codes.
std::string emitted_main(const loop::Module&, std::vector<std::string>* codes);

}  // namespace espalier::driver
