// Input spoiled at random: every verb answers with a result or with diagnostics, in bounded time,
// and leaves no part of a package behind. ESPALIER_MUTANTS and ESPALIER_MUTANTS_SEED say how many
// and which; ESPALIER_MUTANTS_KEEP names a folder for those that fail.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include "base/file.h"
#include "tests/fuzz/mutate.h"
#include "tests/fuzz/trial.h"

namespace espalier::fuzz {
namespace {

namespace fs = std::filesystem;

const fs::path root = ESPALIER_ROOT;

long setting(const char* name, long otherwise) {
  const char* text = std::getenv(name);
  return text && *text ? std::atol(text) : otherwise;
}

struct Sample {
  std::string name, text;
};

// The files of a folder, and of its folders, that end so, in order.
std::vector<Sample> samples(const std::string& folder, const std::string& ending) {
  std::vector<Sample> out;
  for (const auto& entry : fs::recursive_directory_iterator(root / folder))
    if (entry.path().string().ends_with(ending))
      out.push_back({entry.path().string(), *read_file(entry.path())});
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return out;
}

std::string mutate(const std::string& text, Random& random) {
  switch (random.below(3)) {
    case 0: return mutate_bytes(text, random);
    case 1: return mutate_tokens(text, random);
    default: return mutate_json(text, random);
  }
}

using Arguments = std::vector<std::string>;

// Mutants of one kind, each in a folder of its own.
class Attack {
 public:
  Attack(const char* kind, long count) : kind_(kind), count_(setting("ESPALIER_MUTANTS", count)) {}

  // `turn` makes a mutant and gives the command line for it.
  void run(const std::function<Arguments(const fs::path& folder, Random&)>& turn) {
    const long first = setting("ESPALIER_MUTANTS_SEED", 1);
    long accepted = 0, failures = 0;
    for (long seed = first; seed < first + count_ && failures < 20; ++seed) {
      Random random(static_cast<std::uint64_t>(seed));
      const TempFolder folder, streams;
      Arguments arguments = turn(folder.path(), random);
      if (random.chance(0.2)) arguments.push_back("--diagnostics=json");
      const std::size_t before = entries(folder.path());
      const Trial trial = run_trial(arguments, streams.path().string());
      accepted += trial.status == 0;
      std::string wrong = fault(trial);
      if (wrong.empty()) wrong = left_behind(folder.path(), before, arguments, trial);
      if (wrong.empty()) continue;
      ++failures;
      report(seed, arguments, wrong, trial, folder.path());
    }
    fmt::print("{}: {} mutants, {} of them accepted\n", kind_, count_, accepted);
  }

 private:
  static std::size_t entries(const fs::path& folder) {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }

  // A whole package after `compile`, nothing new otherwise.
  static std::string left_behind(const fs::path& folder, std::size_t before,
                                 const Arguments& arguments, const Trial& trial) {
    const bool package = arguments[0] == "compile" && trial.status == 0;
    if (package && !fs::exists(folder / "out/manifest.json")) return "no package";
    const std::size_t now = entries(folder);
    return now == before || (package && now == before + 1) ? "" : "files were left behind";
  }

  void report(long seed, const Arguments& arguments, const std::string& wrong, const Trial& trial,
              const fs::path& folder) {
    std::string line;
    for (const std::string& argument : arguments) line += ' ' + argument;
    FAIL_CHECK(kind_ << " " << seed << ":" << line << "\n"
                     << wrong << "\n"
                     << trial.messages.substr(0, 600));
    if (const char* keep = std::getenv("ESPALIER_MUTANTS_KEEP"))
      fs::copy(folder, fs::path(keep) / fmt::format("{}-{}", kind_, seed),
               fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  }

  const std::string kind_;
  const long count_;
};

Arguments any_verb(const std::string& file, const fs::path& folder, Random& random) {
  switch (random.below(5)) {
    case 0: return {"check", "--expand", file};
    case 1: return {"print", file};
    case 2: return {"explain", file};
    default: return {"compile", "--no-weights", file, "-o", (folder / "out").string()};
  }
}

Arguments written(const std::string& name, const std::string& text, const fs::path& folder,
                  Random& random) {
  const std::string file = (folder / name).string();
  write_file(file, text);
  return any_verb(file, folder, random);
}

void models(long count) {
  std::vector<Sample> all = samples("examples", "model.json");
  for (const char* folder : {"tests/run/language", "tests/errors"})
    for (Sample& sample : samples(folder, ".json"))
      if (sample.text.size() < 100000) all.push_back(std::move(sample));
  Attack("model", count).run([&](const fs::path& folder, Random& random) {
    return written("model.json", mutate(random.pick(all).text, random), folder, random);
  });
}

// What a verb prints for each example.
std::vector<Sample> printed(const Arguments& arguments) {
  std::vector<Sample> out;
  const TempFolder streams;
  std::vector<Sample> all = samples("examples", "model.json");
  for (Sample& sample : samples("tests/run/language", ".json")) all.push_back(std::move(sample));
  for (const Sample& sample : all) {
    Arguments on_sample = arguments;
    on_sample.push_back(sample.name);
    const Trial trial = run_trial(on_sample, streams.path().string());
    if (trial.status == 0) out.push_back({sample.name, trial.output});
  }
  REQUIRE(!out.empty());
  return out;
}

void structured(long count) {
  const std::vector<Sample> all = printed({"check", "--expand"});
  Attack("structured", count).run([&](const fs::path& folder, Random& random) {
    const std::string& text = random.pick(all).text;
    return written("model.json",
                   random.chance(0.7) ? mutate_json(text, random) : mutate(text, random), folder,
                   random);
  });
}

void ir_text(const char* ending, const std::vector<std::string>& stages, long count) {
  std::vector<Sample> all;
  for (const std::string& stage : stages)
    for (Sample& sample : printed({"print", "--stage", stage})) all.push_back(std::move(sample));
  Attack(ending, count).run([&](const fs::path& folder, Random& random) {
    const std::string& text = random.pick(all).text;
    return written(std::string("program.") + ending,
                   random.chance(0.5) ? mutate_bytes(text, random) : mutate_tokens(text, random),
                   folder, random);
  });
}

void weights(long count) {
  const std::vector<Sample> all = samples("examples", "weights.safetensors");
  Attack("weights", count).run([&](const fs::path& folder, Random& random) {
    const Sample& sample = random.pick(all);
    std::string text = sample.text;
    const std::size_t header = std::min<std::size_t>(text.size(), random.chance(0.3) ? 12 : 700);
    std::string head = text.substr(0, header);
    head = random.chance(0.5) ? mutate_bytes(head, random) : mutate_tokens(head, random);
    write_file(folder / "weights.safetensors", head + text.substr(header));
    const fs::path model = fs::path(sample.name).parent_path() / "model.json";
    return Arguments{"compile",       model.string(), "-o", (folder / "out").string(),
                     "--weights-dir", folder.string()};
  });
}

struct Given {
  const char *example, *text;
};
const std::vector<Given> nodes = {
    {"mutual_expr_stmt", R"({"nodes": [{"variant": "Block", "body": [1, 2]},
       {"variant": "Set", "name": 3, "e": 3}, {"variant": "Stmt.Skip"}, {"v": 0.5}], "roots": [0]})"},
    {"four_variants_updown", R"({"nodes": [{"op": 1, "left": 1, "right": 2}, {"word": 3},
       {"children": [3]}, {"variant": "Value", "x": [1, 2, "inf"]}], "args": {"t": [0, 2]}})"},
    {"fold_lstm", R"({"args": {"words": [[1, 2, 3], [], [4]]}})"},
    {"tree_attention",
     R"({"children": [[1, 2], [], [3], []], "word": [0, 1, 2, 3], "roots": [0]})"},
};

void inputs(long count) {
  std::vector<std::pair<std::string, std::string>> all;  // model and input
  for (const Given& given : nodes) all.emplace_back(given.example, given.text);
  for (const Sample& sample : samples("tests/data/cases", "inputs.json")) {
    // The first structures of them: the rest is only larger.
    const std::string small = sample.text.substr(0, sample.text.find(",\"perfect5")) + "}";
    all.emplace_back(fs::path(sample.name).parent_path().filename().string(), small);
  }
  Attack("input", count).run([&](const fs::path& folder, Random& random) {
    const auto& [example, text] = random.pick(all);
    write_file(folder / "input.json", mutate(text, random));
    const std::string model = (root / "examples" / example / "model.json").string();
    Arguments arguments = {"run", model, "--input", (folder / "input.json").string()};
    if (text.find("\"words\":") != std::string::npos && text.find("\"args\"") == std::string::npos)
      arguments.insert(arguments.end(), {"--columns", "words=word"});
    return arguments;
  });
}

void brackets(long count) {
  const std::string trees = *read_file(root / "examples/demo/trees.txt");
  const std::string words = *read_file(root / "examples/demo/vocab.txt");
  Attack("brackets", count).run([&](const fs::path& folder, Random& random) {
    const bool of_words = random.chance(0.2);
    write_file(folder / "trees.txt", of_words ? trees : mutate(trees, random));
    write_file(folder / "vocab.txt", of_words ? mutate(words, random) : words);
    return Arguments{"run",     (root / "examples/demo/model.json").string(),
                     "--input", (folder / "trees.txt").string(),
                     "--vocab", (folder / "vocab.txt").string()};
  });
}

void lint(long count) {
  const TempFolder made, streams;
  const fs::path package = made.path() / "package";
  const std::string model = (root / "examples/treernn/model.json").string();
  REQUIRE(run_trial({"compile", model, "-o", package.string()}, streams.path().string()).status ==
          0);
  const std::vector<std::string> files = {"manifest.json", "treernn.h", "treernn_kernels.cpp",
                                          "runtime/structure.h"};
  Attack("package", count).run([&](const fs::path& folder, Random& random) {
    fs::copy(package, folder / "out", fs::copy_options::recursive);
    const fs::path file = folder / "out" / random.pick(files);
    write_file(file, mutate(*read_file(file), random));
    if (random.chance(0.5)) return Arguments{"lint", (folder / "out").string()};
    return Arguments{"compile", model, "-o", (folder / "out").string()};
  });
}

TEST_CASE("mutants of models") { models(300); }
TEST_CASE("mutants of the structured form") { structured(150); }
TEST_CASE("mutants of wave text") { ir_text("wave", {"to_wave", "wave"}, 150); }
TEST_CASE("mutants of loop text") { ir_text("loop", {"to_loop", "loop"}, 100); }
TEST_CASE("mutants of weights") { weights(100); }
TEST_CASE("mutants of inputs") { inputs(300); }
TEST_CASE("mutants of bracketed trees") { brackets(100); }
TEST_CASE("mutants of packages") { lint(10); }

TEST_CASE("many mutants" * doctest::test_suite("slow")) {
  models(20000);
  structured(10000);
  ir_text("wave", {"to_wave", "wave_fold", "specialize", "wave"}, 10000);
  ir_text("loop", {"to_loop", "vectorize", "loop"}, 10000);
  weights(10000);
  inputs(10000);
  brackets(5000);
  lint(500);
}

}  // namespace
}  // namespace espalier::fuzz
