// What a program remembers of the model that it was lowered from, beside the program itself: the
// evaluators, the readers of inputs and weights, and the manifest need it at every stage.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fun/module.h"

namespace espalier::driver {

struct Session;

struct Origin {
  fun::Module core;                 // as checked, with its entries and the names of its weights
  std::string model_sha256;         // of the file
  std::vector<std::string> passes;  // those run until now, in order
};

// Comments behind the text of a wave or loop program, so that whoever goes on from there has the
// origin as well.
std::string print(const Origin&);

// Cuts them off `text`. Nothing where there are none (the text was written by hand) or where they
// cannot be read, which is reported.
std::optional<Origin> take_origin(std::string* text, Session&);

}  // namespace espalier::driver
