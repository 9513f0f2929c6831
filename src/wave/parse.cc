#include <fmt/format.h>

#include <limits>
#include <optional>

#include "base/kinds.h"
#include "base/numbers.h"
#include "wave/cursor.h"
#include "wave/text.h"
#include "wave/verify.h"

namespace espalier::wave {
namespace {

constexpr int deepest = 100;  // regions

int small(Cursor& c) {
  const Token token = c.here();
  const std::int64_t n = c.integer();
  if (n < -1 || n > std::numeric_limits<int>::max())
    c.fail(Kind::wave_number, token, fmt::format("{} is out of range here", n));
  return static_cast<int>(n);
}

Field parse_field(Cursor& c) {
  Field f;
  f.name = c.name("a field");
  c.expect_mark(":");
  f.dtype = Dtype::i32;
  f.child = c.accept_word("node");
  if (f.child) {
    f.target = c.name("a data type");
  } else {
    f.dtype = c.dtype();
    f.shape = c.shape();
  }
  if (c.accept_mark("<")) f.bound = c.integer();
  if (c.accept_word("in")) {
    do f.lists.push_back(small(c));
    while (c.accept_mark(","));
  }
  if (c.accept_word("column")) f.column = small(c);
  return f;
}

List parse_list(Cursor& c) {
  List l;
  l.name = c.name("a list");
  if (c.accept_word("in")) l.outer = small(c);
  return l;
}

// ---- Entries

class EntryParser {
 public:
  explicit EntryParser(Cursor& cursor) : c_(cursor) { known_.entry = &entry_; }

  Entry whole() {
    entry_.name = c_.name("the entry's name");
    entry_.nodes = c_.accept_word("nodes");
    c_.expect_mark("{");
    if (c_.accept_word("doc")) entry_.doc = c_.string("the text");
    while (c_.accept_word("column")) entry_.arguments.columns.push_back(parse_field(c_));
    while (c_.accept_word("list")) entry_.arguments.lists.push_back(parse_list(c_));
    while (c_.accept_word("domain")) domain();
    entry_.ops = operators(0);
    while (c_.accept_word("output")) output();
    c_.expect_mark("}");
    for (const auto& [value, token] : initials_) {
      const auto found = known_.values.find(token.text);
      if (found == known_.values.end())
        c_.fail(Kind::wave_unknown_name, token, fmt::format("there is no value '%{}'", token.text));
      entry_.value(value).initial = found->second;
    }
    return std::move(entry_);
  }

 private:
  void domain() {
    Domain d;
    const Token token = c_.here();
    d.name = c_.name("the domain's name");
    c_.expect_mark(":");
    constexpr std::string_view kinds[] = {"once", "calls", "nodes",  "all",
                                          "list", "edges", "parents"};
    std::size_t kind = 0;
    while (kind < std::size(kinds) && !c_.accept_word(kinds[kind])) ++kind;
    if (kind == std::size(kinds)) c_.unexpected("a kind of domain");
    d.kind = static_cast<Domain::Kind>(kind);
    if (d.kind == Domain::Kind::nodes) d.variant = small(c_);
    if (c_.accept_word("empty")) d.part = Domain::Part::empty;
    if (c_.accept_word("filled")) d.part = Domain::Part::filled;
    if (d.kind == Domain::Kind::list && c_.here().kind == Token::Kind::number) d.list = small(c_);
    if (c_.accept_word("length")) d.length = c_.integer();
    constexpr std::string_view sides[] = {"like", "from", "to"};
    for (std::size_t side = 0; side < std::size(sides) && d.kind == Domain::Kind::list; ++side)
      if (c_.accept_word(sides[side])) {
        d.side = static_cast<Domain::Side>(side);
        d.like = known_.domain(c_);
      }
    if (d.like != none && c_.accept_word("field")) d.field = small(c_);
    if (c_.accept_word("over")) d.owner = known_.domain(c_);
    const auto id = static_cast<Id>(entry_.domains.size());
    if (!known_.domains.emplace(d.name, id).second)
      c_.fail(Kind::wave_duplicate_name, token,
              fmt::format("domain '{}' stands above already", d.name));
    entry_.domains.push_back(std::move(d));
  }

  std::vector<Op> operators(int depth) {
    if (depth > deepest)
      c_.fail(Kind::wave_nesting, c_.here(),
              fmt::format("regions are nested more than {} deep", deepest));
    std::vector<Op> ops;
    while (!c_.at_mark("}") && !c_.at_word("output")) {
      if (c_.here().kind == Token::Kind::value)
        define(depth, ops);
      else
        ops.push_back(other(depth));
    }
    return ops;
  }

  Op other(int depth) {
    Op op;
    if (c_.accept_word("set")) return set();
    if (c_.accept_word("check")) return check();
    if (c_.accept_word("sweep_up"))
      op.kind = Op::Kind::sweep_up;
    else if (c_.accept_word("sweep_down"))
      op.kind = Op::Kind::sweep_down;
    else if (c_.accept_word("steps"))
      op.kind = Op::Kind::steps;
    else
      c_.unexpected("an operator");
    if (op.kind == Op::Kind::steps) {
      c_.expect_word("over");
      op.list = known_.domain(c_);
      op.backward = c_.accept_word("backward");
    }
    c_.expect_mark("{");
    op.region = operators(depth + 1);
    c_.expect_mark("}");
    return op;
  }

  // An input or carry, or a compute operator. Its name is known behind it.
  void define(int depth, std::vector<Op>& ops) {
    const Token token = c_.take();
    Value v;
    v.name = token.text;
    v.loc = c_.loc(token);
    c_.expect_mark(":");
    v.domain = known_.domain(c_);
    v.dtype = c_.dtype();
    v.shape = c_.shape();
    const bool load = c_.accept_word("load"), call = !load && c_.accept_word("call");
    if (c_.accept_word("line")) v.line = static_cast<std::int32_t>(c_.integer());
    c_.expect_mark("=");
    const auto id = static_cast<Id>(entry_.values.size());
    std::optional<Op> op;
    for (std::size_t r = 0; r < std::size(reductions); ++r)
      if (!op && c_.accept_word(reductions[r])) op = compute(static_cast<Reduce>(r), v.shape);
    const bool stored = !op && (c_.at_word("parameter") || c_.at_word("constant"));
    if (op)
      op->result = id;
    else if (depth == 0)
      input(v, id);
    else
      c_.unexpected("a computation");
    v.phase = load || (stored && !call) ? Phase::load : Phase::call;
    if (!known_.values.emplace(v.name, id).second)
      c_.fail(Kind::wave_duplicate_name, token,
              fmt::format("value '%{}' stands above already", v.name));
    entry_.values.push_back(std::move(v));
    if (op) ops.push_back(std::move(*op));
  }

  Op compute(Reduce reduce, const std::vector<std::int64_t>& shape) {
    Op op;
    op.reduce = reduce;
    while (c_.here().kind == Token::Kind::word && !c_.at_word("over")) {
      if (c_.here().text != fmt::format("r{}", op.axes.size())) c_.unexpected("':'");
      c_.take();
      c_.expect_mark("<");
      op.axes.push_back(c_.integer());
      if (!c_.accept_mark(",")) break;
    }
    if (c_.accept_word("over")) op.list = known_.domain(c_);
    c_.expect_mark(":");
    known_.axes = shape;
    known_.bounds = op.axes;
    op.body = parse_scalar(c_, known_);
    known_.axes.clear();
    known_.bounds.clear();
    guard(op);
    return op;
  }

  void guard(Op& op) {
    if (c_.accept_word("where")) op.guard = parse_scalar(c_, known_);
  }

  void input(Value& v, Id id) {
    constexpr std::string_view kinds[] = {"parameter", "constant", "argument",    "payload",
                                          "root",      "child",    "place",       "variant",
                                          "local",     "slot",     "parent_edge", "in_edge",
                                          "root_call", "computed", "carry",       "previous"};
    std::size_t kind = 0;
    while (kind < std::size(kinds) && !c_.accept_word(kinds[kind])) ++kind;
    if (kind == std::size(kinds)) c_.unexpected("a kind of value");
    v.kind = static_cast<Value::Kind>(kind);
    if (v.kind == Value::Kind::parameter || v.kind == Value::Kind::constant) {
      v.source = c_.name("its name");
      return;
    }
    if (v.kind == Value::Kind::previous) {
      v.of = known_.value(c_);
      c_.expect_word("from");
      if (c_.here().kind != Token::Kind::value) c_.unexpected("a value");
      initials_.emplace_back(id, c_.take());
      return;
    }
    if (c_.here().kind == Token::Kind::number) v.field = small(c_);
    if (c_.accept_word("named")) v.source = c_.name("its name");
  }

  Op set() {
    Op op;
    op.kind = Op::Kind::set;
    op.result = known_.value(c_);
    c_.expect_word("part");
    op.part = known_.domain(c_);
    if (c_.accept_word("field")) op.field = small(c_);
    c_.expect_mark("=");
    op.value = known_.value(c_);
    return op;
  }

  Op check() {
    Op op;
    op.kind = Op::Kind::check;
    op.domain = known_.domain(c_);
    op.code = c_.string("the status code");
    c_.expect_mark(":");
    op.body = parse_scalar(c_, known_);
    if (c_.accept_word("detail")) op.detail = parse_scalar(c_, known_);
    guard(op);
    return op;
  }

  void output() {
    Output o;
    o.entry_result = c_.name("the result's name");
    c_.expect_mark(":");
    if (c_.accept_word("nodes"))
      o.rows = Output::Rows::nodes;
    else if (c_.accept_word("items"))
      o.rows = Output::Rows::items;
    else
      c_.expect_word("calls");
    if (!c_.at_mark("=")) o.type = c_.name("a data type");
    c_.expect_mark("=");
    o.value = known_.value(c_);
    entry_.outputs.push_back(std::move(o));
  }

  static constexpr std::string_view reductions[] = {"map", "sum",    "prod",  "max",
                                                    "min", "argmax", "argmin"};
  Cursor& c_;
  Entry entry_;
  Known known_;
  std::vector<std::pair<Id, Token>> initials_;  // of `previous` values: computed further down
};

// ---- Modules

Variant parse_variant(Cursor& c) {
  Variant v;
  v.type = c.name("a data type");
  v.name = c.name("a variant");
  c.expect_mark("{");
  while (!c.accept_mark("}")) v.fields.push_back(parse_field(c));
  return v;
}

DataType parse_type(Cursor& c) {
  DataType t;
  t.name = c.name("a data type");
  t.shared = c.accept_word("shared");
  c.expect_mark("{");
  while (!c.accept_mark("}")) {
    t.variants.push_back(small(c));
    if (!c.at_mark("}")) c.expect_mark(",");
  }
  return t;
}

Parameter parse_parameter(Cursor& c) {
  Parameter p;
  p.name = c.name("the parameter's name");
  c.expect_mark(":");
  p.dtype = c.dtype();
  p.shape = c.shape();
  if (c.accept_word("dims"))
    while (c.here().kind == Token::Kind::string) p.dims.push_back(c.take().text);
  return p;
}

double parse_number(Cursor& c) {
  const bool minus = c.accept_mark("-");
  const Token token = c.take();
  const auto value = parse_double((minus ? "-" : "") + token.text);
  if (!value || token.kind == Token::Kind::string)
    c.fail(Kind::wave_number, token, fmt::format("'{}' is no number", token.text));
  return *value;
}

Constant parse_constant(Cursor& c) {
  Constant k;
  k.name = c.name("the constant's name");
  c.expect_mark(":");
  k.dtype = c.dtype();
  k.shape = c.shape();
  c.expect_mark("=");
  c.expect_mark("[");
  while (!c.accept_mark("]")) {
    k.values.push_back(parse_number(c));
    if (!c.at_mark("]")) c.expect_mark(",");
  }
  return k;
}

Module parse_module(Cursor& c) {
  Module m;
  c.expect_word("wave");
  m.name = c.name("the module's name");
  if (c.accept_word("doc")) m.doc = c.string("the text");
  while (c.accept_word("dim")) {
    const std::string name = c.name("the dim's name");
    c.expect_mark("=");
    m.dims.emplace_back(name, c.integer());
  }
  while (c.accept_word("column")) m.forest.columns.push_back(parse_field(c));
  while (c.accept_word("list")) m.forest.lists.push_back(parse_list(c));
  while (c.accept_word("variant")) m.forest.variants.push_back(parse_variant(c));
  while (c.accept_word("type")) m.forest.types.push_back(parse_type(c));
  while (c.accept_word("parameter")) m.parameters.push_back(parse_parameter(c));
  while (c.accept_word("constant")) m.constants.push_back(parse_constant(c));
  while (c.accept_word("entry")) m.entries.push_back(EntryParser(c).whole());
  if (c.here().kind != Token::Kind::end) c.unexpected("an entry");
  return m;
}

}  // namespace

Result<Module> parse(const Sources& sources, std::int32_t file, Diagnostics& diagnostics) {
  Cursor cursor(sources, file, diagnostics);
  try {
    Module module = parse_module(cursor);
    const std::string wrong = verify(module);
    if (wrong.empty()) return module;
    diagnostics.error(Kind::wave_unsound, {file, 0, 1, -1}, wrong);
  } catch (const Unreadable&) {
  }
  return Failed();
}

}  // namespace espalier::wave
