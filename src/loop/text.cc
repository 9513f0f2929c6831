#include "loop/text.h"

#include <algorithm>
#include <concepts>
#include <sstream>
#include <type_traits>

#include "base/kinds.h"
#include "base/numbers.h"
#include "loop/members.h"
#include "loop/tree.h"
#include "loop/verify.h"

namespace espalier::loop {

namespace {

constexpr const char* dtypes[] = {"f32", "f64", "f16", "bf16", "i8", "i32", "i64", "bool"};
constexpr const char* expr_kinds[] = {"integer", "number",  "variable", "constant", "load",
                                      "item",    "address", "pointer",  "binary",   "unary",
                                      "call",    "select",  "cast"};
constexpr const char* stmt_kinds[] = {"loop",   "let",     "var",    "assign", "store",
                                      "branch", "call",    "choose", "share",  "barrier",
                                      "leave",  "comment", "blank",  "fail"};

std::vector<std::string> words(const char* text) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

// ---- Writing

std::string type_word(const Type& t) {
  std::string word = dtypes[static_cast<int>(t.dtype)];
  if (t.vector) word += ":v";
  if (t.pointer) word += t.writes ? ":w" : ":p";
  return word;
}

Tree tree_of(const ExprRef& e) {
  Tree made = Tree::of(expr_kinds[static_cast<int>(e->kind)]);
  made.items.push_back(Tree::leaf(type_word(e->type)));
  if (!e->name.empty()) made.items.push_back(Tree::leaf(e->name, true));
  if (e->buffer >= 0) made.items.push_back(Tree::leaf("#" + std::to_string(e->buffer)));
  if (e->integer != 0) made.items.push_back(Tree::leaf("=" + std::to_string(e->integer)));
  if (e->kind == Expr::Kind::number || e->number != 0)
    made.items.push_back(Tree::leaf("~" + shortest(e->number)));
  for (const ExprRef& arg : e->args) made.items.push_back(tree_of(arg));
  return made;
}

class Writer {
 public:
  explicit Writer(Tree* into) : into_(into) {}

  void operator()(const char* name, const std::string& v, const std::string& usual = {}) {
    if (v != usual) put(name, Tree::leaf(v, true));
  }
  template <std::integral T>
  void operator()(const char* name, T v, std::type_identity_t<T> usual) {
    if (v == usual) return;
    if constexpr (std::is_same_v<T, bool>)
      put(name, Tree::leaf(v ? "true" : "false"));
    else
      put(name, Tree::leaf(std::to_string(v)));
  }
  void operator()(const char* name, const Type& v) {
    if (!(v == Type{})) put(name, Tree::leaf(type_word(v)));
  }
  void operator()(const char* name, const ExprRef& v) {
    if (v) put(name, tree_of(v));
  }
  template <class T>
  void operator()(const char* name, const std::vector<T>& v) {
    if (v.empty()) return;
    Tree made = Tree::of(name);
    for (const T& x : v) made.items.push_back(one(x));
    into_->items.push_back(std::move(made));
  }
  template <class E>
  void choice(const char* name, E v, const char* names) {
    if (static_cast<int>(v) != usual_of(v))
      put(name, Tree::leaf(words(names)[static_cast<std::size_t>(v)]));
  }
  template <class T>
  void part(const char* name, T& v) {
    Tree made = Tree::of(name);
    Writer inner(&made);
    members(inner, v);
    if (made.items.size() > 1) into_->items.push_back(std::move(made));
  }
  template <class T>
  void parts(const char* name, std::vector<T>& all) {
    for (T& v : all) {
      Tree made = Tree::of(name);
      Writer inner(&made);
      members(inner, v);
      into_->items.push_back(std::move(made));
    }
  }

 private:
  template <class E>
  static int usual_of(E) {
    return 0;
  }
  static int usual_of(Buffer::Space) { return static_cast<int>(Buffer::Space::workspace); }

  static Tree one(const std::string& v) { return Tree::leaf(v, true); }
  static Tree one(std::int64_t v) { return Tree::leaf(std::to_string(v)); }
  static Tree one(int v) { return Tree::leaf(std::to_string(v)); }
  static Tree one(double v) { return Tree::leaf(shortest(v)); }
  static Tree one(const ExprRef& v) { return tree_of(v); }
  static Tree one(const Stmt& v) {
    Tree made = Tree::of(stmt_kinds[static_cast<int>(v.kind)]);
    Writer inner(&made);
    Stmt copy = v;
    members(inner, copy);
    return made;
  }
  void put(const char* name, Tree value) {
    Tree made = Tree::of(name);
    made.items.push_back(std::move(value));
    into_->items.push_back(std::move(made));
  }

  Tree* into_;
};

// ---- Reading

struct Wrong {
  std::uint32_t offset;
  std::string what;
};

template <std::size_t n>
int position(const Tree& word, const char* const (&names)[n]) {
  for (std::size_t i = 0; i < n; i++)
    if (word.word == names[i]) return static_cast<int>(i);
  throw Wrong{word.offset, "unknown word '" + word.word + "'"};
}

std::int64_t integer_of(const Tree& t, std::size_t from = 0) {
  const auto value = parse_int(std::string_view(t.word).substr(from));
  if (!value || t.list) throw Wrong{t.offset, "an integer was expected"};
  return *value;
}

double number_of(const Tree& t, std::size_t from = 0) {
  const auto value = parse_double(std::string_view(t.word).substr(from));
  if (!value || t.list) throw Wrong{t.offset, "a number was expected"};
  return *value;
}

Type type_of(const Tree& t) {
  Type made;
  const auto colon = t.word.find(':');
  Tree name = t;
  name.word = t.word.substr(0, colon);
  made.dtype = static_cast<Dtype>(position(name, dtypes));
  if (colon == std::string::npos) return made;
  for (const char c : t.word.substr(colon + 1)) {
    if (c == 'v') made.vector = true;
    if (c == 'p' || c == 'w') made.pointer = true;
    if (c == 'w') made.writes = true;
  }
  return made;
}

ExprRef expr_of(const Tree& t) {
  if (!t.list || t.items.size() < 2) throw Wrong{t.offset, "an expression was expected"};
  auto made = std::make_shared<Expr>();
  made->kind = static_cast<Expr::Kind>(position(t.items[0], expr_kinds));
  made->type = type_of(t.items[1]);
  for (std::size_t i = 2; i < t.items.size(); i++) {
    const Tree& item = t.items[i];
    if (item.list)
      made->args.push_back(expr_of(item));
    else if (item.quoted)
      made->name = item.word;
    else if (item.word.starts_with('#'))
      made->buffer = static_cast<int>(integer_of(item, 1));
    else if (item.word.starts_with('='))
      made->integer = integer_of(item, 1);
    else if (item.word.starts_with('~'))
      made->number = number_of(item, 1);
    else
      throw Wrong{item.offset, "unknown word '" + item.word + "'"};
  }
  return made;
}

class Reader {
 public:
  explicit Reader(const Tree& from) : from_(from) {}
  ~Reader() = default;

  void operator()(const char* name, std::string& v, const std::string& usual = {}) {
    const Tree* t = value(name);
    v = t ? t->word : usual;
  }
  void operator()(const char* name, std::int64_t& v, std::int64_t usual) {
    const Tree* t = value(name);
    v = t ? integer_of(*t) : usual;
  }
  void operator()(const char* name, int& v, int usual) {
    const Tree* t = value(name);
    v = t ? static_cast<int>(integer_of(*t)) : usual;
  }
  void operator()(const char* name, bool& v, bool usual) {
    const Tree* t = value(name);
    v = t ? t->word == "true" : usual;
  }
  void operator()(const char* name, Type& v) {
    if (const Tree* t = value(name)) v = type_of(*t);
  }
  void operator()(const char* name, ExprRef& v) {
    if (const Tree* t = value(name)) v = expr_of(*t);
  }
  template <class T>
  void operator()(const char* name, std::vector<T>& v) {
    known_.push_back(name);
    const Tree* t = from_.find(name);
    if (!t) return;
    for (std::size_t i = 1; i < t->items.size(); i++) {
      v.emplace_back();
      read(t->items[i], v.back());
    }
  }
  template <class E>
  void choice(const char* name, E& v, const char* names) {
    const Tree* t = value(name);
    if (!t) return;
    const auto all = words(names);
    const auto at = std::find(all.begin(), all.end(), t->word);
    if (at == all.end()) throw Wrong{t->offset, "unknown word '" + t->word + "'"};
    v = static_cast<E>(at - all.begin());
  }
  template <class T>
  void part(const char* name, T& v) {
    known_.push_back(name);
    if (const Tree* t = from_.find(name)) all_members(*t, v);
  }
  template <class T>
  void parts(const char* name, std::vector<T>& all) {
    known_.push_back(name);
    for (const Tree& item : from_.items) {
      if (!item.list || item.items[0].word != name) continue;
      all.emplace_back();
      all_members(item, all.back());
    }
  }
  template <class T>
  static void all_members(const Tree& from, T& v) {
    Reader inner(from);
    members(inner, v);
    for (std::size_t i = 1; i < from.items.size(); i++) {
      const Tree& item = from.items[i];
      const std::string& head = item.list ? item.items[0].word : item.word;
      if (!item.list ||
          std::find(inner.known_.begin(), inner.known_.end(), head) == inner.known_.end())
        throw Wrong{item.offset, "unknown member '" + head + "'"};
    }
  }

 private:
  const Tree* value(const char* name) {
    known_.push_back(name);
    const Tree* t = from_.find(name);
    if (!t) return nullptr;
    if (t->items.size() != 2) throw Wrong{t->offset, "one value was expected"};
    return &t->items[1];
  }
  static void read(const Tree& t, std::string& v) { v = t.word; }
  static void read(const Tree& t, std::int64_t& v) { v = integer_of(t); }
  static void read(const Tree& t, int& v) { v = static_cast<int>(integer_of(t)); }
  static void read(const Tree& t, double& v) { v = number_of(t); }
  static void read(const Tree& t, ExprRef& v) { v = expr_of(t); }
  static void read(const Tree& t, Stmt& v) {
    if (!t.list) throw Wrong{t.offset, "a statement was expected"};
    v.kind = static_cast<Stmt::Kind>(position(t.items[0], stmt_kinds));
    all_members(t, v);
  }

  const Tree& from_;
  std::vector<std::string> known_;
};

}  // namespace

std::string print(const Module& module) {
  Tree made = Tree::of("loop");
  Writer writer(&made);
  Module copy = module;
  members(writer, copy);
  return print(made);
}

Result<Module> parse(const Sources& sources, std::int32_t file, Diagnostics& diagnostics) {
  const std::string& text = sources.text(file);
  const auto fail = [&](std::uint32_t offset, const std::string& what,
                        Kind kind = Kind::loop_text) {
    Loc loc;
    loc.file = file;
    loc.offset = offset;
    diagnostics.error(kind, loc, what);
    return Failed{};
  };
  std::uint32_t at = 0;
  const auto tree = parse_tree(text, &at);
  if (!tree) return fail(at, "the text of a loop module ends too early or goes on too long");
  if (tree->items[0].word != "loop") return fail(0, "a loop module begins with '(loop'");
  try {
    Module module;
    Reader::all_members(*tree, module);
    const std::string problem = verify(module);
    if (!problem.empty()) return fail(0, problem, Kind::loop_unsound);
    return module;
  } catch (const Wrong& wrong) {
    return fail(wrong.offset, wrong.what);
  }
}

}  // namespace espalier::loop
