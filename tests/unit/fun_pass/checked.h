// A model's text, read and checked.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "base/kinds.h"
#include "fun_pass/check.h"
#include "read/model.h"

namespace espalier::test {

struct Checked {
  Sources sources;
  Diagnostics diagnostics;
  fun::Module module;
  bool ok = false;

  explicit Checked(const std::string& text) {
    Result<fun::Module> read = read::read_model_text(&sources, "model.json", text, &diagnostics);
    if (!read) return;
    module = std::move(*read);
    ok = fun_pass::check(module, diagnostics);
  }

  std::string messages() const {
    std::string text;
    for (const Diagnostic& each : diagnostics.all()) text += format(each, sources, false);
    return text;
  }

  // The text that the first diagnostic's caret underlines.
  std::string underlined() const {
    if (diagnostics.all().empty()) return "";
    const Loc& loc = diagnostics.all()[0].loc;
    if (loc.file < 0) return "";
    return sources.text(loc.file).substr(loc.offset, loc.length);
  }

  const fun::Expr& body(const std::string& function) const {
    const fun::Function* f = module.find_function(function);
    REQUIRE(f != nullptr);
    return *f->body;
  }
};

// A model of the parts given, each the inside of its object.
inline std::string model(const std::string& functions, const std::string& params = "",
                         const std::string& types = "", const std::string& more = "") {
  return R"({"espalier": 1, "name": "m", "dims": {"n": 4, "m": 3, "vocab": 9}, "types": {)" +
         types + R"(}, "params": {)" + params + R"(}, "functions": {)" + functions + "}" +
         (more.empty() ? R"(, "entries": {})" : ", " + more) + "}";
}

// Expects that the first mistake in the model is of this kind, underlines `at` (unless empty) and
// says `text`.
inline void refuse(const std::string& text, Kind kind, const std::string& at,
                   const std::string& message) {
  const Checked checked(text);
  CAPTURE(text);
  CAPTURE(checked.messages());
  CHECK(!checked.ok);
  REQUIRE(!checked.diagnostics.all().empty());
  const Diagnostic& first = checked.diagnostics.all()[0];
  CHECK(kind_name(first.kind) == kind_name(kind));
  CHECK(first.message.find(message) != std::string::npos);
  if (!at.empty()) CHECK(checked.underlined() == at);
}

inline const std::string tree = R"("Tree": {"Leaf": {"word": "index[vocab]"},
    "Node": {"left": "Tree", "right": "Tree"},
    "Many": {"word": "index[vocab]", "children": "[Tree]"}})";

}  // namespace espalier::test
