#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "base/bug.h"
#include "base/line_buffer.h"
#include "base/numbers.h"
#include "wave/text.h"

namespace espalier::wave {
const char* reduce_name(Reduce r) {
  switch (r) {
    case Reduce::map: return "map";
    case Reduce::sum: return "sum";
    case Reduce::prod: return "prod";
    case Reduce::max: return "max";
    case Reduce::min: return "min";
    case Reduce::argmax: return "argmax";
    case Reduce::argmin: return "argmin";
  }
  throw Bug("a reduction of no kind");
}

namespace {

bool is_plain(std::string_view name, bool digit_first) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '\'' || static_cast<unsigned char>(c) >= 0x80;
  };
  if (name.empty() || !std::all_of(name.begin(), name.end(), plain)) return false;
  return digit_first || !((name[0] >= '0' && name[0] <= '9') || name[0] == '.' || name[0] == '\'');
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string name_of(std::string_view name) {
  return is_plain(name, false) ? std::string(name) : quoted(name);
}

std::string value_name(const Entry& entry, Id id) {
  if (id < 0 || static_cast<std::size_t>(id) >= entry.values.size())
    return fmt::format("%\"#{}\"", id);
  const std::string& name = entry.value(id).name;
  return "%" + (is_plain(name, true) ? name : quoted(name));
}

std::string domain_name(const Entry& entry, Id id) {
  if (id < 0 || static_cast<std::size_t>(id) >= entry.domains.size())
    return fmt::format("\"#{}\"", id);
  return name_of(entry.domain(id).name);
}

std::string type_text(Dtype dtype, const std::vector<std::int64_t>& shape) {
  return std::string(dtype_name(dtype)) +
         (shape.empty() ? "" : fmt::format("[{}]", fmt::join(shape, ", ")));
}

// ---- Scalars

enum Level : int { lv_or, lv_and, lv_not, lv_compare, lv_sum, lv_product, lv_unary, lv_atom };

struct Infix {
  const char* text;
  Level level;
};

std::optional<Infix> infix(Opcode op) {
  switch (op) {
    case Opcode::logical_or: return Infix{"or", lv_or};
    case Opcode::logical_and: return Infix{"and", lv_and};
    case Opcode::eq: return Infix{"==", lv_compare};
    case Opcode::ne: return Infix{"!=", lv_compare};
    case Opcode::lt: return Infix{"<", lv_compare};
    case Opcode::le: return Infix{"<=", lv_compare};
    case Opcode::gt: return Infix{">", lv_compare};
    case Opcode::ge: return Infix{">=", lv_compare};
    case Opcode::add: return Infix{"+", lv_sum};
    case Opcode::sub: return Infix{"-", lv_sum};
    case Opcode::mul: return Infix{"*", lv_product};
    case Opcode::div: return Infix{"/", lv_product};
    case Opcode::floordiv: return Infix{"//", lv_product};
    case Opcode::mod: return Infix{"%", lv_product};
    default: return std::nullopt;
  }
}

std::string number_text(const Scalar& s) {
  if (s.dtype == Dtype::boolean) return s.integer != 0 ? "true" : "false";
  std::string text = is_float(s.dtype) ? shortest(s.number) : std::to_string(s.integer);
  if (s.dtype != Dtype::f32 && s.dtype != Dtype::i64)
    text += fmt::format(":{}", dtype_name(s.dtype));
  return text;
}

class ScalarPrinter {
 public:
  explicit ScalarPrinter(const Entry& entry) : entry_(entry) {}

  std::string at(const ScalarRef& s, Level level) const {
    if (!s) return "none";
    std::string text = plain(*s);
    return level_of(*s) < level ? "(" + text + ")" : text;
  }

 private:
  static bool is_number(const ScalarRef& s) { return s && s->kind == Scalar::Kind::number; }

  static Level level_of(const Scalar& s) {
    if (s.kind == Scalar::Kind::number && s.dtype != Dtype::boolean &&
        (s.integer < 0 || (std::signbit(s.number) && !std::isnan(s.number))))
      return lv_unary;
    if (s.kind != Scalar::Kind::apply) return lv_atom;
    if (s.op == Opcode::neg) return is_number(s.args[0]) ? lv_atom : lv_unary;
    if (s.op == Opcode::logical_not) return lv_not;
    const std::optional<Infix> i = infix(s.op);
    return i ? i->level : lv_atom;
  }

  std::string list(const Scalar& s, std::size_t from) const {
    std::string text;
    for (std::size_t i = from; i < s.args.size(); ++i)
      text += (i > from ? ", " : "") + at(s.args[i], lv_or);
    return text;
  }

  std::string plain(const Scalar& s) const {
    const auto of_list = [&](const char* what) {
      return fmt::format("{}({}, {})", what, domain_name(entry_, s.domain), at(s.args[0], lv_or));
    };
    switch (s.kind) {
      case Scalar::Kind::number: return number_text(s);
      case Scalar::Kind::axis: return fmt::format("i{}{}", s.which, s.extent == 0 ? "?" : "");
      case Scalar::Kind::bound: return fmt::format("r{}{}", s.which, s.extent == 0 ? "?" : "");
      case Scalar::Kind::element: return "d";
      case Scalar::Kind::item: return "e";
      case Scalar::Kind::owner: return of_list("owner");
      case Scalar::Kind::first: return of_list("first");
      case Scalar::Kind::end: return of_list("end");
      case Scalar::Kind::load: return load_text(s);
      case Scalar::Kind::apply: return apply_text(s);
    }
    throw Bug("a scalar of no kind");
  }

  // What may follow '@' without parentheses: a word, or a word and arguments in parentheses.
  static bool bare(const Scalar& s) {
    switch (s.kind) {
      case Scalar::Kind::element:
      case Scalar::Kind::item:
      case Scalar::Kind::owner:
      case Scalar::Kind::first:
      case Scalar::Kind::end: return true;
      case Scalar::Kind::apply: return level_of(s) == lv_atom;
      default: return false;
    }
  }

  std::string load_text(const Scalar& s) const {
    std::string text = value_name(entry_, s.value);
    if (s.args[0])
      text += bare(*s.args[0]) ? "@" + at(s.args[0], lv_or) : "@(" + at(s.args[0], lv_or) + ")";
    if (s.args.size() > 1) text += "[" + list(s, 1) + "]";
    const bool known = s.value >= 0 && static_cast<std::size_t>(s.value) < entry_.values.size();
    if (!known || entry_.value(s.value).dtype != s.dtype)
      text += fmt::format(":{}", dtype_name(s.dtype));
    return text;
  }

  std::string apply_text(const Scalar& s) const {
    if (s.op == Opcode::cast) return fmt::format("{}({})", dtype_name(s.dtype), list(s, 0));
    if (s.op == Opcode::neg && !is_number(s.args[0])) return "-" + at(s.args[0], lv_unary);
    if (s.op == Opcode::logical_not) return "not " + at(s.args[0], lv_not);
    const std::optional<Infix> i = infix(s.op);
    if (!i) return fmt::format("{}({})", opcode_name(s.op), list(s, 0));
    const Level left = i->level == lv_compare ? lv_sum : i->level;
    return fmt::format("{} {} {}", at(s.args[0], left), i->text,
                       at(s.args[1], static_cast<Level>(i->level + 1)));
  }

  const Entry& entry_;
};

// ---- Entries

std::string field_text(const Field& f) {
  const bool word = f.name == "in" || f.name == "column";
  std::string text = (word ? quoted(f.name) : name_of(f.name)) + ": " +
                     (f.child ? "node " + name_of(f.target) : type_text(f.dtype, f.shape));
  if (f.bound != 0) text += fmt::format(" < {}", f.bound);
  if (!f.lists.empty()) text += fmt::format(" in {}", fmt::join(f.lists, ", "));
  if (f.column >= 0) text += fmt::format(" column {}", f.column);
  return text;
}

const char* kind_name(Value::Kind kind) {
  switch (kind) {
    case Value::Kind::parameter: return "parameter";
    case Value::Kind::constant: return "constant";
    case Value::Kind::argument: return "argument";
    case Value::Kind::payload: return "payload";
    case Value::Kind::root: return "root";
    case Value::Kind::child: return "child";
    case Value::Kind::place: return "place";
    case Value::Kind::variant: return "variant";
    case Value::Kind::local: return "local";
    case Value::Kind::slot: return "slot";
    case Value::Kind::parent_edge: return "parent_edge";
    case Value::Kind::in_edge: return "in_edge";
    case Value::Kind::root_call: return "root_call";
    case Value::Kind::computed: return "computed";
    case Value::Kind::carry: return "carry";
    case Value::Kind::previous: return "previous";
  }
  throw Bug("a value of no kind");
}

class EntryPrinter {
 public:
  EntryPrinter(const Entry& entry, LineBuffer& out) : entry_(entry), scalars_(entry), out_(out) {}

  void whole() {
    out_.line("entry {}{} {{", name_of(entry_.name), entry_.nodes ? " nodes" : "");
    {
      const auto scope = out_.indent();
      if (!entry_.doc.empty()) out_.line("doc {}", quoted(entry_.doc));
      for (const Field& f : entry_.arguments.columns) out_.line("column {}", field_text(f));
      lists(entry_.arguments.lists);
      for (const Domain& d : entry_.domains) domain(d);
      values();
      for (const Op& o : entry_.ops) op(o);
      for (const Output& o : entry_.outputs) output(o);
    }
    out_.line("}");
  }

  void lists(const std::vector<List>& all) {
    for (const List& l : all)
      out_.line("list {}{}", name_of(l.name), l.outer >= 0 ? fmt::format(" in {}", l.outer) : "");
  }

  void op(const Op& o) {
    switch (o.kind) {
      case Op::Kind::compute: return compute(o);
      case Op::Kind::sweep_up: return region("sweep_up", o);
      case Op::Kind::sweep_down: return region("sweep_down", o);
      case Op::Kind::steps:
        return region(fmt::format("steps over {}{}", domain_name(entry_, o.list),
                                  o.backward ? " backward" : ""),
                      o);
      case Op::Kind::set:
        return out_.line(
            "set {} part {}{} = {}", value_name(entry_, o.result), domain_name(entry_, o.part),
            o.field >= 0 ? fmt::format(" field {}", o.field) : "", value_name(entry_, o.value));
      case Op::Kind::check:
        return out_.line("check {} {}: {}{}{}", domain_name(entry_, o.domain), quoted(o.code),
                         text(o.body), o.detail ? " detail " + text(o.detail) : "", guard(o));
    }
  }

 private:
  std::string text(const ScalarRef& s) const { return scalars_.at(s, lv_or); }
  std::string guard(const Op& o) const { return o.guard ? " where " + text(o.guard) : ""; }

  void domain(const Domain& d) {
    const char* kinds[] = {"once", "calls", "nodes", "all", "list", "edges", "parents"};
    const char* parts[] = {"", " empty", " filled"};
    std::string line =
        fmt::format("domain {}: {}", name_of(d.name), kinds[static_cast<int>(d.kind)]);
    if (d.variant >= 0) line += fmt::format(" {}", d.variant);
    line += parts[static_cast<int>(d.part)];
    if (d.list >= 0) line += fmt::format(" {}", d.list);
    if (d.length >= 0) line += fmt::format(" length {}", d.length);
    const char* sides[] = {"like", "from", "to"};
    if (d.like != none)
      line += fmt::format(" {} {}", sides[static_cast<int>(d.side)], domain_name(entry_, d.like));
    if (d.field >= 0) line += fmt::format(" field {}", d.field);
    if (d.owner != none) line += " over " + domain_name(entry_, d.owner);
    out_.line(line);
  }

  void values() {
    std::set<Id> computed;
    collect(entry_.ops, computed);
    for (std::size_t i = 0; i < entry_.values.size(); ++i) {
      const auto id = static_cast<Id>(i);
      if (entry_.value(id).kind != Value::Kind::computed || computed.count(id) == 0)
        out_.line("{} = {}", head(id), input(entry_.value(id)));
    }
  }

  static void collect(const std::vector<Op>& ops, std::set<Id>& computed) {
    for (const Op& o : ops) {
      if (o.kind == Op::Kind::compute) computed.insert(o.result);
      collect(o.region, computed);
    }
  }

  std::string head(Id id) const {
    if (id < 0 || static_cast<std::size_t>(id) >= entry_.values.size())
      return value_name(entry_, id);
    const Value& v = entry_.value(id);
    const bool stored = v.kind == Value::Kind::parameter || v.kind == Value::Kind::constant;
    const char* phase = v.phase == Phase::load ? (stored ? "" : " load") : (stored ? " call" : "");
    return fmt::format("{}: {} {}{}", value_name(entry_, id), domain_name(entry_, v.domain),
                       type_text(v.dtype, v.shape), phase);
  }

  std::string input(const Value& v) const {
    std::string line = kind_name(v.kind);
    if (v.field >= 0) line += fmt::format(" {}", v.field);
    if (v.kind == Value::Kind::parameter || v.kind == Value::Kind::constant)
      line += " " + name_of(v.source);
    else if (!v.source.empty())
      line += " named " + name_of(v.source);
    if (v.kind == Value::Kind::previous)
      line += fmt::format(" {} from {}", value_name(entry_, v.of), value_name(entry_, v.initial));
    return line;
  }

  void compute(const Op& o) {
    std::string line = head(o.result);
    if (entry_.value(o.result).line > 0)
      line += fmt::format(" line {}", entry_.value(o.result).line);
    line += std::string(" = ") + reduce_name(o.reduce);
    for (std::size_t i = 0; i < o.axes.size(); ++i)
      line += fmt::format("{} r{} < {}", i > 0 ? "," : "", i, o.axes[i]);
    if (o.list != none) line += " over " + domain_name(entry_, o.list);
    out_.line(line + ": " + text(o.body) + guard(o));
  }

  void region(const std::string& head_text, const Op& o) {
    out_.line("{} {{", head_text);
    {
      const auto scope = out_.indent();
      for (const Op& inner : o.region) op(inner);
    }
    out_.line("}");
  }

  void output(const Output& o) {
    const char* rows[] = {"calls", "nodes", "items"};
    out_.line("output {}: {}{} = {}", name_of(o.entry_result), rows[static_cast<int>(o.rows)],
              o.type.empty() ? "" : " " + name_of(o.type), value_name(entry_, o.value));
  }

  const Entry& entry_;
  ScalarPrinter scalars_;
  LineBuffer& out_;
};

void forest(const Forest& f, LineBuffer& out) {
  for (const Field& column : f.columns) out.line("column {}", field_text(column));
  EntryPrinter({}, out).lists(f.lists);
  for (const Variant& v : f.variants) {
    out.line("variant {} {} {{", name_of(v.type), name_of(v.name));
    {
      const auto scope = out.indent();
      for (const Field& field : v.fields) out.line(field_text(field));
    }
    out.line("}");
  }
  for (const DataType& t : f.types)
    out.line("type {}{} {{ {} }}", name_of(t.name), t.shared ? " shared" : "",
             fmt::join(t.variants, ", "));
}

void constant(const Constant& c, LineBuffer& out) {
  out.line("constant {}: {} = [", name_of(c.name), type_text(c.dtype, c.shape));
  {
    const auto scope = out.indent();
    std::string line;
    for (const double value : c.values) {
      const std::string number = shortest(value);
      if (line.size() + number.size() > 90) {
        out.line(line);
        line.clear();
      }
      line += (line.empty() ? "" : " ") + number + ",";
    }
    if (!line.empty()) out.line(line);
  }
  out.line("]");
}

}  // namespace

std::string print(const Entry& entry, const ScalarRef& s) {
  return ScalarPrinter(entry).at(s, lv_or);
}

std::string print(const Entry& entry, const Op& op) {
  LineBuffer out;
  EntryPrinter(entry, out).op(op);
  return std::move(out).text();
}

std::string print(const Module& m) {
  LineBuffer out;
  out.line("wave {}", name_of(m.name));
  if (!m.doc.empty()) out.line("doc {}", quoted(m.doc));
  for (const auto& [name, value] : m.dims) out.line("dim {} = {}", name_of(name), value);
  if (!m.forest.columns.empty() || !m.forest.variants.empty()) out.separate();
  forest(m.forest, out);
  if (!m.parameters.empty() || !m.constants.empty()) out.separate();
  for (const Parameter& p : m.parameters) {
    std::string line =
        fmt::format("parameter {}: {}", name_of(p.name), type_text(p.dtype, p.shape));
    if (!p.dims.empty()) line += " dims";
    for (const std::string& dim : p.dims) line += " " + quoted(dim);
    out.line(line);
  }
  for (const Constant& c : m.constants) constant(c, out);
  for (const Entry& e : m.entries) {
    out.separate();
    EntryPrinter(e, out).whole();
  }
  return std::move(out).text();
}

}  // namespace espalier::wave
