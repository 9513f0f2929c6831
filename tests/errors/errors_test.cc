// Every model of tests/errors with its diagnostics: NAME.json and NAME.expected.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/kinds.h"
#include "fun/text.h"
#include "fun_pass/check.h"
#include "fun_pass/flatten_match.h"
#include "fun_pass/inline_calls.h"
#include "fun_pass/recognize.h"
#include "ops/op.h"
#include "read/model.h"
#include "tests/golden.h"
#include "to_wave/to_wave.h"

namespace espalier {
namespace {

std::vector<std::string> names() {
  std::vector<std::string> out;
  const auto folder = std::filesystem::path(ESPALIER_ROOT) / "tests/errors";
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".json") out.push_back(entry.path().stem().string());
  std::sort(out.begin(), out.end());
  return out;
}

// As the pipeline does, as far as the last pass that refuses models.
void lower(fun::Module& module, Diagnostics& diagnostics) {
  if (!fun_pass::check(module, diagnostics)) return;
  if (!fun_pass::inline_calls(module, diagnostics)) return;
  if (!fun_pass::flatten_match(module, diagnostics)) return;
  if (!fun_pass::recognize(module, diagnostics)) return;
  static_cast<void>(lower_to_wave(module, diagnostics));
}

struct Found {
  Sources sources;
  Diagnostics diagnostics;
  std::string expanded;  // the model in the structured form, if it can be read
};

bool is_operator(const std::string& name) {
  static const std::set<std::string> on_lists = {"fold", "scan",      "reverse", "len",
                                                 "zip",  "enumerate", "vjp",     "grad"};
  return ops::find(name) != nullptr || on_lists.count(name) > 0;
}

void find_mistakes(const std::string& name, const std::string& text, Found* found) {
  Result<fun::Module> module =
      read::read_model_text(&found->sources, name + ".json", text, &found->diagnostics);
  if (!module) return;
  found->expanded = fun::print_expanded(*module, is_operator);
  try {
    lower(*module, found->diagnostics);
  } catch (const std::exception& bug) {
    FAIL_CHECK(bug.what());
  }
}

std::string model_text(const std::string& name) {
  return test::read_text(std::filesystem::path(ESPALIER_ROOT) / "tests/errors" / (name + ".json"));
}

const std::string& pointer_of(const Diagnostic& diagnostic, const Sources& sources) {
  static const std::string none;
  return diagnostic.loc.pointer < 0 ? none : sources.pointer(diagnostic.loc.pointer);
}

TEST_CASE("every model of tests/errors has the diagnostics expected") {
  std::set<std::string> seen;
  for (const std::string& name : names()) {
    CAPTURE(name);
    Found found;
    find_mistakes(name, model_text(name), &found);
    std::string text;
    for (const Diagnostic& diagnostic : found.diagnostics.all()) {
      text += format(diagnostic, found.sources, false);
      seen.insert(std::string(kind_id(diagnostic.kind)));
    }
    CHECK(text != "");
    test::check_golden("errors/" + name + ".expected", text);
  }

  // Every kind that reading, checking or lowering a model can give.
  for (const std::string& id : {
#define DIAGNOSTIC(id, name, text) std::string(id),
#include "base/diagnostics.def"
#undef DIAGNOSTIC
       }) {
    CAPTURE(id);
    if (id < "E240" && id != "E009") CHECK(seen.count(id) == 1);
  }
}

bool says(const nlohmann::json& line, const Loc& loc, const std::string& message,
          const Sources& sources) {
  const LineColumn at = sources.line_column(loc);
  return line.at("file") == (loc.file < 0 ? "" : sources.name(loc.file)) &&
         line.at("line") == at.line && line.at("column") == at.column &&
         line.at("pointer") == (loc.pointer < 0 ? "" : sources.pointer(loc.pointer)) &&
         line.at("message") == message;
}

TEST_CASE("diagnostics as JSON have the facts of those as text") {
  for (const std::string& name : names()) {
    CAPTURE(name);
    Found found;
    find_mistakes(name, model_text(name), &found);
    for (const Diagnostic& d : found.diagnostics.all()) {
      const std::string text = format_json(d, found.sources);
      CHECK(text.find('\n') == text.size() - 1);
      const auto line = nlohmann::json::parse(text);
      CHECK(line.at("id") == kind_id(d.kind));
      CHECK(line.at("name") == kind_name(d.kind));
      CHECK(says(line, d.loc, d.message, found.sources));
      REQUIRE(line.at("notes").size() == d.notes.size());
      for (std::size_t i = 0; i < d.notes.size(); ++i)
        CHECK(says(line.at("notes")[i], d.notes[i].loc, d.notes[i].message, found.sources));
    }
  }
}

// What is wrong with the expressions of a model is wrong with their structured form, in the same
// words and at the same place or inside of it.
TEST_CASE("strings and their structured form have the same mistakes") {
  for (const std::string& name : names()) {
    CAPTURE(name);
    Found written, again;
    find_mistakes(name, model_text(name), &written);
    // Only a string can give a function's arguments by name.
    if (written.expanded.empty() || name == "named_argument") continue;
    find_mistakes(name, written.expanded, &again);
    const auto &first = written.diagnostics.all(), &second = again.diagnostics.all();
    CHECK(first.size() == second.size());
    for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
      CHECK(kind_id(first[i].kind) == kind_id(second[i].kind));
      CHECK(first[i].message == second[i].message);
      CHECK(
          pointer_of(second[i], again.sources).starts_with(pointer_of(first[i], written.sources)));
      CHECK(first[i].notes.size() == second[i].notes.size());
    }
  }
}

// Whether a mistake in a body is one of the structured form: at an object or a list, or inside of
// one.
bool in_structured_form(const std::string& name, const Diagnostic& d, const Sources& sources) {
  static const std::regex keys(
      ".*/body.*/"
      "(args|of|list|tuple|each|for|in|fun|index|at|if|then|else|be|let|call|op|construct|"
      "field|const|type|var|slice|match)(/.*)?");
  const char at = sources.text(d.loc.file)[d.loc.offset];
  return name.find("_structured") != std::string::npos || at == '{' || at == '[' ||
         std::regex_match(pointer_of(d, sources), keys);
}

TEST_CASE("mistakes of expressions are tested in both forms") {
  // Patterns are strings in either form, and a call has named arguments in a string alone.
  const std::set<Kind> of_strings = {
      Kind::starred_position, Kind::repeated_star,   Kind::bad_pattern,   Kind::misplaced_star,
      Kind::negative_pattern, Kind::mixed_list_ends, Kind::named_argument};
  std::set<Kind> strings, structured;
  for (const std::string& name : names()) {
    Found found;
    find_mistakes(name, model_text(name), &found);
    for (const Diagnostic& d : found.diagnostics.all())
      if (pointer_of(d, found.sources).find("/body") != std::string::npos)
        (in_structured_form(name, d, found.sources) ? structured : strings).insert(d.kind);
  }
  for (const Kind kind : strings) {
    CAPTURE(kind_name(kind));
    CHECK(structured.count(kind) + of_strings.count(kind) == 1);
  }
}

}  // namespace
}  // namespace espalier
