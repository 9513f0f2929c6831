// Every wave pass alone, all of them, and all but one: the evaluator gives the same answers.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <random>
#include <regex>
#include <string>

#include "base/file.h"
#include "driver/pipeline.h"
#include "emit/small_inputs.h"
#include "eval/wave_eval.h"
#include "fun_pass/check.h"
#include "fun_pass/flatten_match.h"
#include "fun_pass/inline_calls.h"
#include "fun_pass/recognize.h"
#include "read/model.h"
#include "to_wave/to_wave.h"
#include "wave/analysis.h"
#include "wave/text.h"
#include "wave/verify.h"

using namespace espalier;

namespace {

const std::string head = R"(wave m

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
  domain once: once
  domain calls: calls
  domain Node: nodes 0
  domain all: all
  domain edges: edges
  domain kids: list 0 over Node
  %E: once f32[9, 4] = parameter E
  %W: once f32[4, 4] = parameter W
  %U: once f32[4, 4] = parameter U
  %t: calls i32 = root 0
  %s: calls f32[4] = argument 1
  %word: Node i32 = payload 0
  %place: Node i32 = place
  %child: kids i32 = child 1
  %slot: kids i32 = slot 1
  %parent_edge: all i32 = parent_edge
  %root_call: all i32 = root_call 0
  %h: all f32[4] = carry
)";

const std::string lstm = head + R"(  %c: all f32[4] = carry
  sweep_up {
    %x: Node f32[4] = map: %E[i64(%word@d), i0]
    %wx: Node f32[4] = sum r0 < 4: %W[i0, r0] * %x@d[r0]
    %wx_2: Node f32[4] = sum r0 < 4: %W[i0, r0] * %x@d[r0]
    %hs: Node f32[4] = sum over kids: %h@i64(%child@e)[i0]
    %uh: Node f32[4] = sum r0 < 4: %U[i0, r0] * %hs@d[r0]
    %i: Node f32[4] = map: sigmoid(%wx@d[i0] + %uh@d[i0])
    %uk: kids f32[4] = sum r0 < 4: %U[i0, r0] * %h@i64(%child@d)[r0]
    %g: kids f32[4] = map: sigmoid(%wx_2@owner(kids, d)[i0] + %uk@d[i0])
    %gc: kids f32[4] = map: %g@d[i0] * %c@i64(%child@d)[i0]
    %gs: Node f32[4] = sum over kids: %gc@e[i0]
    %c1: Node f32[4] = map: %i@d[i0] * tanh(%wx@d[i0]) + %gs@d[i0]
    %h1: Node f32[4] = map: %i@d[i0] * tanh(%c1@d[i0])
    set %h part Node = %h1
    set %c part Node = %c1
  }
  output h: nodes Tree = %h
  output c: nodes Tree = %c
}
)";

const std::string attention = head + R"(  sweep_up {
    %q: Node f32[4] = map: tanh(%E[i64(%word@d), i0])
    %a: kids f32 = sum r0 < 4: %q@owner(kids, d)[r0] * %h@i64(%child@d)[r0]
    %m: Node f32 = max over kids: %a@e where end(kids, d) - first(kids, d) > 0
    %e: kids f32 = map: exp(%a@d - %m@owner(kids, d))
    %z: Node f32 = sum over kids: %e@e
    %w: kids f32 = map: %e@d / %z@owner(kids, d)
    %wh: kids f32[4] = map: %w@d * %h@i64(%child@d)[i0]
    %y: Node f32[4] = sum over kids: %wh@e[i0]
    %v: Node f32[4] = sum r0 < 4: %U[i0, r0] * %y@d[r0]
    %b: Node f32 = map: select(end(kids, d) - first(kids, d) > 0, %m@d, 0.5)
    %h1: Node f32[4] = map: select(end(kids, d) > first(kids, d), tanh(%q@d[i0] + %v@d[i0]), %q@d[i0] * %b@d)
    set %h part Node = %h1
  }
  %r: calls f32[4] = map: %h@i64(%t@d)[i0] + %s@d[i0]
  output r: calls = %r
}
)";

const std::string steps_up_down = head + R"(  %down: edges f32[4] = carry
  %p: all f32[4] = carry
  %n: kids f32[4] = carry
  %last_n: kids f32[4] = previous %n from %start
  %reached: edges bool = carry
  sweep_up {
    %start: Node f32[4] = map: %E[i64(%word@d), i0] * 2.0
    steps over kids backward {
      %un: kids f32[4] = sum r0 < 4: %U[i0, r0] * %last_n@d[r0]
      %ws: kids f32[4] = sum r0 < 4: %W[i0, r0] * %start@owner(kids, d)[r0]
      %n1: kids f32[4] = map: tanh(%un@d[i0] + %ws@d[i0] + %h@i64(%child@d)[i0])
      set %n part kids = %n1
    }
    %h1: Node f32[4] = map: select(end(kids, d) - first(kids, d) > 0, %n@first(kids, d)[i0], %start@d[i0])
    set %h part Node = %h1
  }
  sweep_down {
    %edge: Node i64 = map: i64(%parent_edge@i64(%place@d))
    %call: Node i64 = map: i64(%root_call@i64(%place@d))
    %above: Node bool = map: select(%edge@d >= 0, %reached@(%edge@d), false)
    %here: Node bool = map: %call@d >= 0 or %above@d
    %got: Node f32[4] = map: select(%call@d >= 0, %s@(%call@d)[i0], select(%above@d, %down@(%edge@d)[i0], 0.0))
    %p1: Node f32[4] = sum r0 < 4: %W[i0, r0] * (%got@d[r0] + %h@i64(%place@d)[r0])
    %p2: Node f32[4] = map: select(%here@d, tanh(%p1@d[i0]), 0.0)
    %send: kids f32[4] = map: %p2@owner(kids, d)[i0]
    %yes: kids bool = map: %here@owner(kids, d)
    set %down part kids field 1 = %send
    set %reached part kids field 1 = %yes
    set %p part Node = %p2
  }
  check Node "overlap": not (%call@d >= 0 and %above@d)
  output p: nodes Tree = %p
  output h: nodes Tree = %h
}
)";

using Case = emit::SmallInput;

Case random_case(int nodes, std::mt19937& random) {
  Case out;
  std::vector<std::vector<int>> children(static_cast<std::size_t>(nodes));
  Column words, kids, roots, vectors;
  for (int n = 0; n < nodes; ++n) {
    const int parent = n == 0 ? -1 : static_cast<int>(random() % static_cast<unsigned>(n + 1)) - 1;
    if (parent >= 0) children[static_cast<std::size_t>(parent)].push_back(n);
    words.integer.push_back(random() % 9);
    if (parent >= 0) continue;
    roots.integer.push_back(n);
    for (int i = 0; i < 4; ++i) vectors.real.push_back(std::sin(static_cast<double>(random())));
  }
  std::vector<std::int64_t> first = {0};
  for (const auto& list : children) {
    kids.integer.insert(kids.integer.end(), list.begin(), list.end());
    first.push_back(static_cast<std::int64_t>(kids.integer.size()));
  }
  out.forest.nodes = nodes;
  out.forest.variant.assign(static_cast<std::size_t>(nodes), 0);
  out.calls.count = static_cast<std::int64_t>(roots.integer.size());
  out.forest.columns = {words, kids};
  out.forest.lists = {first};
  out.calls.columns = {roots, vectors};
  return out;
}

eval::Weights random_weights(const wave::Module& module, std::mt19937& random) {
  eval::Weights weights;
  for (const Parameter& p : module.parameters) {
    ops::Tensor t = ops::zeros(p.dtype, p.shape);
    for (double& x : t.f) x = std::sin(static_cast<double>(random()));
    weights.emplace(p.name, std::move(t));
  }
  return weights;
}

wave::Module parsed(const std::string& text) {
  Sources sources;
  Diagnostics diagnostics;
  Result<wave::Module> module = wave::parse(sources, sources.add("m.wave", text), diagnostics);
  if (!module) FAIL(format(diagnostics.all()[0], sources, false));
  return *module;
}

void check_same(const eval::Outcome& a, const eval::Outcome& b) {
  REQUIRE(a.status.code == b.status.code);
  REQUIRE(a.results.size() == b.results.size());
  for (std::size_t r = 0; r < a.results.size(); ++r) {
    REQUIRE(a.results[r].data.f.size() == b.results[r].data.f.size());
    for (std::size_t i = 0; i < a.results[r].data.f.size(); ++i) {
      CHECK(!std::isnan(a.results[r].data.f[i]));
      CHECK(std::abs(a.results[r].data.f[i] - b.results[r].data.f[i]) <=
            1e-12 * (1 + std::abs(b.results[r].data.f[i])));
    }
  }
}

bool is_wave(const driver::Pass& pass) {
  return pass.from == driver::Stage::wave && pass.to == driver::Stage::wave;
}

wave::Module with_passes(const wave::Module& module,
                         const std::function<bool(const driver::Pass&)>& runs) {
  driver::Session session;
  driver::Program program;
  program.stage = driver::Stage::wave;
  program.wave = module;
  for (const driver::Pass& pass : driver::pipeline()) {
    if (!is_wave(pass) || !runs(pass)) continue;
    CAPTURE(pass.name);
    CHECK(pass.run(program, session));
    CHECK(wave::verify(*program.wave) == "");
    const std::string text = wave::print(*program.wave);
    CHECK(wave::print(parsed(text)) == text);
    program.wave = parsed(text);
  }
  return *program.wave;
}

// With all passes, and each one alone and left out.
std::vector<wave::Module> variations(const wave::Module& module) {
  std::vector<wave::Module> all = {with_passes(module, [](auto&) { return true; })};
  for (const driver::Pass& pass : driver::pipeline()) {
    if (!is_wave(pass)) continue;
    all.push_back(with_passes(module, [&](auto& p) { return p.name == pass.name; }));
    all.push_back(with_passes(module, [&](auto& p) { return p.name != pass.name; }));
  }
  return all;
}

void check_passes(const std::string& text) {
  const wave::Module module = parsed(text);
  std::mt19937 random(7);
  const eval::Weights weights = random_weights(module, random);
  const std::vector<wave::Module> others = variations(module);
  for (const int nodes : {0, 1, 2, 5, 20}) {
    const Case c = random_case(nodes, random);
    const auto answers = [&](const wave::Module& m) {
      return eval::evaluate(m, weights, m.entries[0], c.forest, c.calls);
    };
    const eval::Outcome expected = answers(module);
    CHECK(expected.status.ok());
    for (const wave::Module& other : others) check_same(answers(other), expected);
  }
}

// The model with every dim made small.
std::string small_dims(const std::string& text) {
  const std::size_t begin = text.find("\"dims\""), end = text.find('}', begin);
  std::string dims = text.substr(begin, end - begin), out;
  int next = 3;
  std::smatch found;
  while (std::regex_search(dims, found, std::regex(": *([0-9]{2,})"))) {
    out += found.prefix().str() + ": " + std::to_string(next++);
    dims = found.suffix().str();
  }
  return text.substr(0, begin) + out + dims + text.substr(end);
}

wave::Module example(const std::filesystem::path& path) {
  Sources sources;
  Diagnostics diagnostics;
  Result<fun::Module> model =
      read::read_model_text(&sources, path.string(), small_dims(*read_file(path)), &diagnostics);
  const bool fine = model && fun_pass::check(*model, diagnostics) &&
                    fun_pass::inline_calls(*model, diagnostics) &&
                    fun_pass::flatten_match(*model, diagnostics) &&
                    fun_pass::recognize(*model, diagnostics);
  Result<wave::Module> module = Failed{};
  if (fine) module = lower_to_wave(*model, diagnostics);
  if (!module) FAIL(format(diagnostics.all()[0], sources, false));
  wave::renumber(*module);
  return *module;
}

void check_example(const std::filesystem::path& path) {
  CAPTURE(path.string());
  const wave::Module module = example(path);
  CHECK(wave::verify(module) == "");
  std::mt19937 random(5);
  const eval::Weights weights = random_weights(module, random);
  const std::vector<wave::Module> others = variations(module);
  for (std::size_t e = 0; e < module.entries.size(); ++e) {
    const wave::Entry& entry = module.entries[e];
    int inputs = 0;
    for (const Case& c : emit::small_inputs(module.forest, entry.arguments, entry.nodes)) {
      if (c.forest.nodes > 30 || ++inputs > 4) continue;
      CAPTURE(entry.name);
      CAPTURE(c.title);
      const eval::Outcome expected = eval::evaluate(module, weights, entry, c.forest, c.calls);
      for (const wave::Module& m : others)
        check_same(eval::evaluate(m, weights, m.entries[e], c.forest, c.calls), expected);
    }
  }
}

}  // namespace

TEST_CASE("a Tree-LSTM keeps its answers through the wave passes") { check_passes(lstm); }
TEST_CASE("attention keeps its answers through the wave passes") { check_passes(attention); }
TEST_CASE("steps, and a way down, keep their answers through the wave passes") {
  check_passes(steps_up_down);
}

TEST_CASE("leaves of a Tree-LSTM are done before its sweep, without zeros") {
  const wave::Module module = with_passes(parsed(lstm), [](auto&) { return true; });
  const std::string text = wave::print(module);
  CAPTURE(text);
  CHECK(text.find("set %h part Node_leaf") < text.find("sweep_up"));
  CHECK(text.find("%wx: ") < text.find("sweep_up"));
  CHECK(text.find("0.0") == std::string::npos);
  CHECK(text.find("%wx_2") == std::string::npos);
}

TEST_CASE("every example keeps its answers through the wave passes") {
  for (const auto& folder : std::filesystem::directory_iterator(ESPALIER_ROOT "/examples"))
    if (std::filesystem::exists(folder.path() / "model.json"))
      check_example(folder.path() / "model.json");
}
