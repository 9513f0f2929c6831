// A model written with closures, folds and helpers gives the kernels of its flat twin.
#include <regex>
#include <set>

#include "tests/run/examples.h"

namespace espalier::test {
namespace {

// The functions of a kernels' file, without what a model's text decides: lines, where code wraps,
// and the constants of all entries together.
std::set<std::string> functions_of(const std::string& example, const std::string& value,
                                   const std::string& called) {
  driver::Options options = example_options(example);
  options.no_check = true;
  std::string text = files_of(emitted(options)).at(example + "_kernels.cpp");
  text = text.substr(text.find("// Row n of a table"));
  text = std::regex_replace(text, std::regex("// From lines? [^.]*\\.\n"), "");
  text = std::regex_replace(text, std::regex(value), called);
  text = std::regex_replace(text, std::regex("\n}\n"), "\n}\f");
  std::set<std::string> functions;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\f', at), text.size());
    functions.insert(std::regex_replace(text.substr(at, end - at), std::regex("[\\s/]+"), ""));
    at = end + 1;
  }
  return functions;
}

TEST_CASE("closures and generic functions leave no trace but a name") {
  const auto twin = functions_of("closures_twin", "fold_tree_index_vocab_f32_hidden", "encode");
  const auto flat = functions_of("closures_twin_flat", "closures_twin_flat", "closures_twin");
  REQUIRE(flat.size() > 8);
  for (const std::string& f : flat) {
    INFO(f);
    CHECK(twin.count(f) == 1);
  }
  CHECK(twin.size() == flat.size());
}

// The twin has two entries more, so that it packs no weights of its own alone.
TEST_CASE("a fold over a list has the kernels of the recursion that says the same") {
  const auto twin = functions_of("fold_lstm", "_", "_");
  const auto flat = functions_of("fold_lstm_flat", "fold_lstm_flat", "fold_lstm");
  REQUIRE(flat.size() > 8);
  for (const std::string& f : flat) {
    INFO(f);
    CHECK((twin.count(f) == 1 || f.find("pack_weights") != std::string::npos ||
           f.find("}namespacefold_lstm") != std::string::npos));
  }
}

}  // namespace
}  // namespace espalier::test
