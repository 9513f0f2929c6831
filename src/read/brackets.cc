#include "read/brackets.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/file.h"
#include "base/kinds.h"
#include "base/numbers.h"
#include "fun/forest.h"

namespace espalier::read {

namespace {

std::optional<std::string> whole_file(const std::filesystem::path& path, Diagnostics* diagnostics) {
  std::string why;
  std::optional<std::string> text = read_file(path, &why);
  if (text && text->size() >= UINT32_MAX) {
    text.reset();
    why = "it is larger than 4 GiB";
  }
  if (!text)
    diagnostics->error(Kind::cannot_read, {},
                       fmt::format("cannot read '{}': {}", path.string(), why));
  return text;
}

// Reads trees with a stack of open brackets.
class BracketReader {
 public:
  BracketReader(std::string_view text, std::int32_t file, Diagnostics* diagnostics)
      : text_(text), file_(file), diagnostics_(diagnostics) {}

  bool run() {
    while (skip(), at_ < text_.size()) {
      const bool ok = text_[at_] == '(' ? open() : text_[at_] == ')' ? close() : word();
      if (!ok) return false;
    }
    if (open_.empty()) return true;
    return fail(Kind::tree_bracket, open_.back().offset, 1, "this '(' is not closed");
  }
  BracketedTrees take() { return std::move(out_); }

 private:
  struct Open {
    std::size_t offset;
    bool labelled = false;
    BracketedTrees::Node node;
    int children = 0;
  };

  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

  void skip() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  bool fail(Kind kind, std::size_t offset, std::size_t length, std::string message) {
    diagnostics_->error(
        kind, {file_, static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(length), -1},
        std::move(message));
    return false;
  }

  bool open() {
    if (!open_.empty() && !open_.back().labelled)
      return fail(Kind::tree_label, at_, 1, "a node begins with its label, an integer");
    open_.push_back({at_++, false, {}, 0});
    return true;
  }

  bool close() {
    if (open_.empty()) return fail(Kind::tree_bracket, at_, 1, "this ')' closes nothing");
    const Open node = std::move(open_.back());
    open_.pop_back();
    ++at_;
    if (!node.labelled)
      return fail(Kind::tree_label, node.offset, 1, "a node begins with its label, an integer");
    const bool leaf = !node.node.word.empty();
    if (leaf == (node.children > 0))
      return fail(Kind::tree_children, node.offset, 1,
                  "a node has either a word or one or two children");
    const int number = static_cast<int>(out_.nodes.size());
    out_.nodes.push_back(node.node);
    if (open_.empty()) {
      out_.roots.push_back(number);
      return true;
    }
    Open& parent = open_.back();
    if (parent.children == 2)
      return fail(Kind::tree_children, node.offset, 1, "a node has two children at most");
    (parent.children++ == 0 ? parent.node.left : parent.node.right) = number;
    return true;
  }

  bool word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is_space(text_[at_]) && text_[at_] != '(' && text_[at_] != ')')
      ++at_;
    const std::string_view found = text_.substr(begin, at_ - begin);
    if (open_.empty())
      return fail(Kind::tree_text, begin, found.size(),
                  fmt::format("'{}' stands outside the brackets of a tree", found));
    Open& node = open_.back();
    if (!node.labelled) {
      const auto label = parse_int(found);
      if (!label)
        return fail(Kind::tree_label, begin, found.size(),
                    fmt::format("'{}' is no label; a node begins with an integer", found));
      node.node.label = *label;
      node.labelled = true;
      return true;
    }
    if (!node.node.word.empty())
      return fail(Kind::tree_children, begin, found.size(), "a leaf has one word");
    node.node.word = found;
    return true;
  }

  std::string_view text_;
  std::int32_t file_;
  Diagnostics* diagnostics_;
  std::size_t at_ = 0;
  std::vector<Open> open_;
  BracketedTrees out_;
};

// What a variant of the data type holds, by column of the forest.
struct Shape {
  int number = -1;  // of the variant
  int word = -1, label = -1;
  std::vector<int> children;
  int list = -1;  // children in a list
};

class Converter {
 public:
  Converter(const BracketedTrees& trees, const Vocabulary& words, const BracketOptions& options)
      : trees_(trees), words_(words), options_(options) {}

  // False if the type has no such variants.
  bool find_shapes(const Forest& forest, const std::string& type) {
    for (std::size_t i = 0; i < forest.variants.size(); ++i) {
      const Variant& variant = forest.variants[i];
      if (variant.type != type) continue;
      std::optional<Shape> shape = shape_of(variant, type);
      if (!shape) return false;
      shape->number = static_cast<int>(i);
      const bool inner = !shape->children.empty();
      if (inner && inner_.number < 0)
        inner_ = *shape;
      else if (!inner && leaf_.number < 0)
        leaf_ = *shape;
      else
        return false;
    }
    // One variant with a list of children serves for both.
    if (leaf_.number < 0 && inner_.list >= 0) leaf_ = inner_;
    return leaf_.number >= 0 && inner_.number >= 0 && leaf_.word >= 0;
  }

  ForestData convert(const Forest& forest) {
    ForestData out;
    out.nodes = static_cast<std::int64_t>(trees_.nodes.size());
    out.columns.assign(forest.columns.size(), {});
    out.lists.assign(forest.lists.size(), {0});
    for (const BracketedTrees::Node& node : trees_.nodes) {
      const bool leaf = node.left < 0;
      add(node, leaf ? leaf_ : inner_, forest, &out);
    }
    return out;
  }

 private:
  static std::optional<Shape> shape_of(const Variant& variant, const std::string& type) {
    Shape shape;
    for (const Field& field : variant.fields) {
      const bool scalar = !field.child && field.lists.empty() && field.shape.empty();
      if (field.child && field.target == type && field.lists.size() <= 1) {
        shape.children.push_back(field.column);
        if (!field.lists.empty()) shape.list = field.lists[0];
      } else if (scalar && field.name == "label") {
        shape.label = field.column;
      } else if (scalar && is_integer(field.dtype) && shape.word < 0) {
        shape.word = field.column;
      } else {
        return {};
      }
    }
    const std::size_t count = shape.children.size();
    const bool fits = count == 0 || (shape.list >= 0 ? count == 1 : count <= 2);
    return fits ? std::optional(shape) : std::nullopt;
  }

  void add(const BracketedTrees::Node& node, const Shape& shape, const Forest& forest,
           ForestData* out) const {
    std::vector<int> children;
    for (const int child : {node.left, node.right})
      if (child >= 0) children.push_back(child);
    out->variant.push_back(shape.number);
    for (std::size_t list = 0; list < out->lists.size(); ++list) {
      if (forest.lists[list].outer >= 0) continue;
      const bool own = static_cast<int>(list) == shape.list;
      const auto length = own ? static_cast<std::int64_t>(children.size()) : 0;
      out->lists[list].push_back(out->lists[list].back() + length);
    }
    for (std::size_t i = 0; i < out->columns.size(); ++i) {
      const int column = static_cast<int>(i);
      const Field& field = forest.columns[i];
      Column& to = out->columns[i];
      const auto place = std::find(shape.children.begin(), shape.children.end(), column);
      if (!field.lists.empty()) {
        if (place != shape.children.end())
          to.integer.insert(to.integer.end(), children.begin(), children.end());
      } else if (field.child) {
        const auto which = static_cast<std::size_t>(place - shape.children.begin());
        to.integer.push_back(which < children.size() ? children[which] : -1);
      } else {
        add_value(node, column, shape, field, &to);
      }
    }
  }

  void add_value(const BracketedTrees::Node& node, int column, const Shape& shape,
                 const Field& field, Column* to) const {
    std::int64_t value = 0;
    if (column == shape.label) value = node.label;
    if (column == shape.word && !node.word.empty()) value = words_.number(looked_up(node.word));
    std::size_t count = 1;
    for (const std::int64_t axis : field.shape) count *= static_cast<std::size_t>(axis);
    if (is_float(field.dtype))
      to->real.insert(to->real.end(), count, static_cast<double>(value));
    else
      to->integer.insert(to->integer.end(), count, value);
  }

  std::string looked_up(std::string word) const {
    if (options_.lower_case)
      for (char& c : word)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return word;
  }

  const BracketedTrees& trees_;
  const Vocabulary& words_;
  const BracketOptions& options_;
  Shape leaf_, inner_;
};

}  // namespace

Vocabulary Vocabulary::of(std::string_view text) {
  Vocabulary out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    out.numbers_.try_emplace(std::string(line), out.size());
    out.words_.emplace_back(line);
  }
  return out;
}

Result<Vocabulary> Vocabulary::read(const std::filesystem::path& path, Diagnostics* diagnostics) {
  const std::optional<std::string> text = whole_file(path, diagnostics);
  if (!text) return Failed{};
  return of(*text);
}

std::int64_t Vocabulary::number(std::string_view word) const {
  const auto found = numbers_.find(word);
  return found == numbers_.end() ? 0 : found->second;
}

const std::string& Vocabulary::word(std::int64_t number) const {
  return words_.at(static_cast<std::size_t>(number));
}

Result<BracketedTrees> read_brackets(Sources* sources, std::string name, std::string text,
                                     Diagnostics* diagnostics) {
  const std::int32_t file = sources->add(std::move(name), std::move(text));
  BracketReader reader(sources->text(file), file, diagnostics);
  if (!reader.run()) return Failed{};
  return reader.take();
}

Result<BracketedTrees> read_brackets(Sources* sources, const std::filesystem::path& path,
                                     Diagnostics* diagnostics) {
  std::optional<std::string> text = whole_file(path, diagnostics);
  if (!text) return Failed{};
  return read_brackets(sources, path.string(), std::move(*text), diagnostics);
}

Result<ForestData> to_forest(const BracketedTrees& trees, const Vocabulary& words,
                             const BracketOptions& options, const fun::Module& module,
                             const std::string& type, Diagnostics* diagnostics) {
  const Forest forest = fun::forest_of(module);
  Converter converter(trees, words, options);
  if (!converter.find_shapes(forest, type)) {
    const fun::DataType* data = module.find_type(type);
    diagnostics->error(Kind::tree_type, data ? data->loc : Loc{},
                       fmt::format("type '{}' is not one of leaves with a word and nodes with "
                                   "children, as bracketed trees are",
                                   type));
    return Failed{};
  }
  return converter.convert(forest);
}

}  // namespace espalier::read
