// A pass as text in, text out.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "wave/analysis.h"
#include "wave/text.h"
#include "wave/verify.h"

namespace espalier {

// Trees of nodes with a word and children; U and W are 4 x 4, E has 9 rows of 4.
inline const std::string tree_head = R"(wave m

column word: i32 < 9 column 0
column children: node Tree in 0 column 1
list children
variant Tree Node {
  word: i32 < 9 column 0
  children: node Tree in 0 column 1
}
type Tree { 0 }

parameter E: f32[9, 4]
parameter W: f32[4, 4]
parameter U: f32[4, 4]

entry f {
  column t: node Tree column 0
  column s: f32[4] column 1
)";

inline wave::Module parse_wave(const std::string& text) {
  Sources sources;
  Diagnostics diagnostics;
  Result<wave::Module> module = wave::parse(sources, sources.add("m.wave", text), diagnostics);
  if (!module) FAIL(format(diagnostics.all()[0], sources, false));
  return *module;
}

// What stands in the entry behind its columns.
inline std::string after(void (*pass)(wave::Module&), const std::string& entry) {
  wave::Module module = parse_wave(tree_head + entry + "}\n");
  pass(module);
  CHECK(wave::verify(module) == "");
  wave::renumber(module);
  const std::string text = wave::print(module);
  CHECK(wave::print(parse_wave(text)) == text);
  REQUIRE(text.rfind(tree_head, 0) == 0);
  return text.substr(tree_head.size(), text.size() - tree_head.size() - 2);
}

}  // namespace espalier
