// The command line as data.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace espalier::driver {

struct Options {
  std::string verb;
  std::string model;  // MODEL.json, or IR text; for lint the package's folder

  // How messages are given.
  std::string diagnostics = "text";  // or "json"
  bool colour = false;               // standard error is a terminal

  // The pipeline.
  std::vector<std::string> disable;      // passes
  std::vector<std::string> print_after;  // passes
  std::string stop_after;                // a pass
  bool time_passes = false;
  std::string weights_dir;  // "": the model's folder

  // check, print, schema
  bool expand = false;
  std::string stage;
  std::string schema = "model";

  // compile, verify
  std::string output;  // -o DIR
  std::string target = "generic";
  std::string schedule;
  bool no_weights = false, no_check = false, force = false;

  // run, verify
  std::string input;
  std::vector<std::string> weights;  // files; none: those that the model names
  std::vector<std::string> entries;  // none: all whose arguments the input has
  std::vector<std::string> columns;  // "words=word": column of the input = payload field
  std::string vocab;                 // of bracketed trees
  bool lower_case = false;           // their words, ASCII
  bool emitted = false;
  int threads = 1;
  std::string output_file;  // --output FILE.safetensors; "": JSON to standard output
};

enum class Parsed { run, help, failed };

// Reads argv into `options`. `help`: what was asked for stands in `text`, for standard output.
Parsed parse(int argc, const char* const* argv, Options* options, std::string* text, Diagnostics&);

}  // namespace espalier::driver
