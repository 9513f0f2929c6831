// Reads bracketed trees, asks the emitted model for a label at every node, and draws what it says.
// usage: demo PACKAGE VOCABULARY TREES
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "sst_treelstm.h"
#include "sst_treelstm_weights.h"

namespace model = sst_treelstm;

namespace {

const char* const label_names[] = {"--", "-", "0", "+", "++"};

// A forest as the model wants it, and the words for the pictures.
struct Trees {
  std::vector<std::uint8_t> variant;
  std::vector<std::int32_t> word, left, right, root;
  std::vector<std::string> text;
  std::vector<int> label;  // what the file says

  // Adds a line "(3 (2 a) (3 b))"; nodes come after their children.
  bool add(const std::string& line, const std::map<std::string, std::int32_t>& vocabulary) {
    struct Open {
      int label = 0;
      std::string leaf;
      std::vector<std::int32_t> children;
    };
    std::vector<Open> open;
    for (std::size_t i = 0; i < line.size();) {
      if (line[i] == ' ') {
        i++;
      } else if (line[i] == '(') {
        open.emplace_back();
        char* end = nullptr;
        open.back().label = static_cast<int>(std::strtol(line.c_str() + i + 1, &end, 10));
        i = static_cast<std::size_t>(end - line.c_str());
      } else if (open.empty()) {
        return false;
      } else if (line[i] != ')') {
        const std::size_t end = std::min(line.find_first_of(" )", i), line.size());
        open.back().leaf = line.substr(i, end - i);
        i = end;
      } else {
        const Open done = open.back();
        open.pop_back();
        const std::vector<std::int32_t>& kids = done.children;
        const auto known = vocabulary.find(done.leaf);
        std::int32_t made = -1;
        if (!done.leaf.empty())
          made = node(model::Leaf, known == vocabulary.end() ? 0 : known->second, -1, -1, done.leaf,
                      done.label);
        else if (kids.size() == 2)
          made = node(model::Node, 0, kids[0], kids[1], "", done.label);
        if (made < 0) return false;
        (open.empty() ? root : open.back().children).push_back(made);
        i++;
      }
    }
    return open.empty();
  }

  model::Forest forest() const {
    model::Forest f = {};
    f.nodes = static_cast<std::int32_t>(variant.size());
    f.variant = variant.data();
    f.word = word.data();
    f.left = left.data();
    f.right = right.data();
    return f;
  }

 private:
  std::int32_t node(std::uint8_t v, std::int32_t w, std::int32_t l, std::int32_t r,
                    std::string t, int of) {
    variant.push_back(v);
    word.push_back(w);
    left.push_back(l);
    right.push_back(r);
    text.push_back(std::move(t));
    label.push_back(of);
    return static_cast<std::int32_t>(variant.size()) - 1;
  }
};

void draw(const Trees& trees, const std::vector<std::int64_t>& labels, std::int32_t n,
          const std::string& margin, const char* branch, const char* below) {
  const auto at = static_cast<std::size_t>(n);
  std::printf("  %s%s[%s]%s%s\n", margin.c_str(), branch, label_names[labels[at]],
              trees.text[at].empty() ? "" : " ", trees.text[at].c_str());
  if (trees.variant[at] != model::Node) return;
  draw(trees, labels, trees.left[at], margin + below, "|-", "| ");
  draw(trees, labels, trees.right[at], margin + below, "`-", "  ");
}

std::vector<char> read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    std::fprintf(stderr, "demo: cannot read %s\n", path.c_str());
    std::exit(1);
  }
  return {std::istreambuf_iterator<char>(in), {}};
}

void* aligned(std::size_t bytes) { return std::aligned_alloc(64, (bytes + 63) / 64 * 64); }

void stop_unless_ok(const model::Status& s) {
  if (s.code == model::ok) return;
  std::fprintf(stderr, "demo: %s (node %d)\n", model::describe(s), static_cast<int>(s.node));
  std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 1;
  const std::string package = argv[1];
  std::map<std::string, std::int32_t> vocabulary;
  std::string line;
  for (std::ifstream in(argv[2]); std::getline(in, line);)
    vocabulary.emplace(line, static_cast<std::int32_t>(vocabulary.size()));
  Trees trees;
  for (std::ifstream in(argv[3]); std::getline(in, line);)
    if (!trees.add(line, vocabulary)) std::fprintf(stderr, "demo: not a tree: %s\n", line.c_str());

  const std::vector<char> file = read(package + "/sst_treelstm.safetensors");
  std::vector<char> copy(file.size() + 8);
  model::Weights weights;
  if (const char* missing = model::open_weights(file.data(), file.size(), copy.data(), &weights)) {
    std::fprintf(stderr, "demo: no tensor %s in the weights\n", missing);
    return 1;
  }
  model::Model m;
  stop_unless_ok(model::prepare(weights, aligned(model::prepared_bytes()), &m));

  const model::Forest forest = trees.forest();
  const model::Launch launch = {2};
  const std::size_t bytes =
      model::classify_nodes_workspace_bytes(model::classify_nodes_limits_of(forest), launch);
  void* workspace = aligned(bytes);
  std::vector<std::int64_t> labels(trees.variant.size());
  model::ClassifyNodesOutputs out = {};
  out.label = labels.data();
  std::vector<double> microseconds;
  for (int repeat = 0; repeat < 21; repeat++) {
    const auto start = std::chrono::steady_clock::now();
    stop_unless_ok(model::classify_nodes(m, forest, out, workspace, bytes, launch));
    microseconds.push_back(std::chrono::duration<double, std::micro>(
                               std::chrono::steady_clock::now() - start).count());
  }
  std::sort(microseconds.begin(), microseconds.end());

  int right = 0;
  for (const std::int32_t root : trees.root) {
    const auto at = static_cast<std::size_t>(root);
    right += labels[at] == trees.label[at];
    std::printf("\nanswer %s, the file says %s\n", label_names[labels[at]],
                label_names[trees.label[at]]);
    draw(trees, labels, root, "", "", "");
  }
  std::printf("\n%d of %zu root labels as in the file (-- very negative .. ++ very positive)\n",
              right, trees.root.size());
  std::printf("%.1f us a tree (median of %zu calls of all %zu trees at once, 2 threads)\n",
              microseconds[microseconds.size() / 2] / static_cast<double>(trees.root.size()),
              microseconds.size(), trees.root.size());
  std::printf("the emitted source lies in %s\n", package.c_str());
}
