#include "to_loop/notes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <optional>
#include <set>

#include "base/numbers.h"
#include "to_loop/lower.h"

namespace espalier::to_loop {

using wave::Opcode;
using wave::Reduce;
using wave::Scalar;
using wave::Value;

namespace {

struct Text {
  std::string text;
  int strength;  // of the outermost operator; 10: an atom
};

std::string wrapped(const Text& t, int needed) {
  return t.strength < needed ? "(" + t.text + ")" : t.text;
}

struct Infix {
  const char* text;
  int strength;
};

Infix infix(Opcode op) {
  switch (op) {
    case Opcode::add: return {" + ", 5};
    case Opcode::sub: return {" - ", 5};
    case Opcode::mul: return {" * ", 6};
    case Opcode::div: return {" / ", 6};
    case Opcode::floordiv: return {" // ", 6};
    case Opcode::mod: return {" % ", 6};
    case Opcode::eq: return {" == ", 4};
    case Opcode::ne: return {" != ", 4};
    case Opcode::lt: return {" < ", 4};
    case Opcode::le: return {" <= ", 4};
    case Opcode::gt: return {" > ", 4};
    case Opcode::ge: return {" >= ", 4};
    case Opcode::logical_and: return {" and ", 3};
    case Opcode::logical_or: return {" or ", 2};
    default: return {nullptr, 0};
  }
}

class Writer {
 public:
  explicit Writer(const Context& context) : context_(context) {}

  void put_in_place(Id value, Text text) { in_place_[value] = std::move(text); }

  // Of a scalar whose axes and bounds are as long as these.
  Text write(const ScalarRef& s, const std::vector<std::int64_t>& axes,
             const std::vector<std::int64_t>& bounds) {
    axes_.clear();
    bounds_.clear();
    for (const std::int64_t n : axes) axes_.push_back({0, n});
    for (const std::int64_t n : bounds) bounds_.push_back({0, n});
    return write(s);
  }

  // Values of one group that have one label are told apart as its code does.
  void name_results(const Group& group) {
    std::map<std::string, int> taken;
    for (const Work& work : group.works) {
      if (work.result == wave::none || names_.count(work.result)) continue;
      const std::string& label = context_.entry.value(work.result).name;
      const int number = ++taken[label];
      names_[work.result] = number == 1 ? label : fmt::format("{}_{}", label, number);
    }
  }
  const std::string& name(Id value) const {
    const auto known = names_.find(value);
    return known == names_.end() ? context_.entry.value(value).name : known->second;
  }

 private:
  struct Range {
    std::int64_t begin, end;
  };

  Text write(const ScalarRef& s) {
    switch (s->kind) {
      case Scalar::Kind::number:
        if (is_float(s->dtype)) {
          std::string text = shortest(s->number);
          if (text.size() > 2 && text.ends_with(".0")) text.resize(text.size() - 2);
          return {text, 10};
        }
        return {std::to_string(s->integer), 10};
      case Scalar::Kind::axis: return {fmt::format("i{}", s->which), 10};
      case Scalar::Kind::bound: return {fmt::format("k{}", s->which), 10};
      case Scalar::Kind::element: return {"n", 10};
      case Scalar::Kind::item: return {"e", 10};
      case Scalar::Kind::owner: return {"owner(" + write(s->args[0]).text + ")", 10};
      case Scalar::Kind::first: return {list_name(context_, s->domain) + ".first", 10};
      case Scalar::Kind::end: return {list_name(context_, s->domain) + ".end", 10};
      case Scalar::Kind::load:
        if (const auto known = in_place_.find(s->value); known != in_place_.end())
          return known->second;
        return {load(*s), 10};
      case Scalar::Kind::apply: return apply(*s);
    }
    return {};
  }

  // The element that a value is read at, as a prefix: "" for the one at hand, "left." for a child,
  // "k." for an item of a list and for the child that it is, "children[0]." for a certain one.
  std::string prefix(const ScalarRef& x) const {
    if (!x) return "";
    if (x->kind == Scalar::Kind::item) return "k.";
    if (const std::string item = certain_item(*x); !item.empty()) return item + ".";
    if (x->kind == Scalar::Kind::apply && x->op == Opcode::cast) return prefix(x->args[0]);
    if (x->kind != Scalar::Kind::load) return "";
    const Value& v = context_.entry.value(x->value);
    if (v.kind == Value::Kind::place) return prefix(x->args[0]);
    const std::string outer = prefix(x->args[0]);
    if (v.kind == Value::Kind::child &&
        context_.entry.domain(v.domain).kind == wave::Domain::Kind::list)
      return outer.empty() ? "k." : outer;
    return outer + (v.source.empty() ? v.name : v.source) + ".";
  }

  // The first or the last item of a list: "children[-1]"; "" of others.
  std::string certain_item(const Scalar& x) const {
    if (x.kind == Scalar::Kind::first) return list_name(context_, x.domain) + "[0]";
    const bool last = x.kind == Scalar::Kind::apply && x.op == Opcode::sub &&
                      x.args[0]->kind == Scalar::Kind::end &&
                      x.args[1]->kind == Scalar::Kind::number && x.args[1]->integer == 1;
    return last ? list_name(context_, x.args[0]->domain) + "[-1]" : "";
  }

  std::string load(const Scalar& s) {
    const Value& v = context_.entry.value(s.value);
    std::string text = prefix(s.args[0]) + name(s.value);
    std::vector<std::string> indices;
    for (std::size_t i = 1; i < s.args.size(); i++)
      indices.push_back(index(s.args[i], v.shape[i - 1]));
    while (!indices.empty() && indices.back() == ":") indices.pop_back();
    for (std::size_t i = 0; i < indices.size(); i++) text += (i == 0 ? "[" : ", ") + indices[i];
    return indices.empty() ? text : text + "]";
  }

  // An index along an axis of `size`: ":" for all of it, "2:5" for a slice.
  std::string index(const ScalarRef& s, std::int64_t size) {
    const std::optional<Range> range = range_of(*s);
    if (!range) return write(s).text;
    return (range->begin == 0 ? "" : std::to_string(range->begin)) + ":" +
           (range->end == size ? "" : std::to_string(range->end));
  }

  // What an axis or a bound goes through, moved by a number.
  std::optional<Range> range_of(const Scalar& s) const {
    const auto which = static_cast<std::size_t>(s.which);
    if (s.kind == Scalar::Kind::axis && which < axes_.size()) return axes_[which];
    if (s.kind == Scalar::Kind::bound && which < bounds_.size()) return bounds_[which];
    if (s.kind != Scalar::Kind::apply || (s.op != Opcode::add && s.op != Opcode::sub) ||
        s.args[1]->kind != Scalar::Kind::number)
      return std::nullopt;
    const std::optional<Range> range = range_of(*s.args[0]);
    if (!range) return std::nullopt;
    const std::int64_t by = s.op == Opcode::add ? s.args[1]->integer : -s.args[1]->integer;
    return Range{range->begin + by, range->end + by};
  }

  // A choice by where an axis, or a bound, is: what stands behind each other along it.
  bool concat(const ScalarRef& s, Scalar::Kind kind, std::size_t which,
              std::vector<std::string>* parts) {
    const auto cut = [&]() -> std::int64_t {
      if (s->kind != Scalar::Kind::apply || s->op != Opcode::select) return -1;
      const Scalar& c = *s->args[0];
      const bool below = c.kind == Scalar::Kind::apply && c.op == Opcode::lt &&
                         c.args[0]->kind == kind &&
                         static_cast<std::size_t>(c.args[0]->which) == which &&
                         c.args[1]->kind == Scalar::Kind::number;
      return below ? c.args[1]->integer : -1;
    }();
    Range& range = kind == Scalar::Kind::axis ? axes_[which] : bounds_[which];
    const Range whole = range;
    if (cut <= whole.begin || cut >= whole.end) return false;
    const auto side = [&](const ScalarRef& part, Range here) {
      range = here;
      if (concat(part, kind, which, parts)) return;
      const bool zero = part->kind == Scalar::Kind::number && part->number == 0;
      parts->push_back(zero ? fmt::format("zeros[{}]", here.end - here.begin) : write(part).text);
    };
    side(s->args[1], {whole.begin, cut});
    side(s->args[2], {cut, whole.end});
    range = whole;
    return true;
  }

  Text select(const Scalar& s) {
    const auto whole = std::make_shared<Scalar>(s);
    std::vector<std::string> parts;
    for (std::size_t which = 0; which < axes_.size(); which++) {
      if (!concat(whole, Scalar::Kind::axis, which, &parts)) continue;
      if (which > 0) parts.push_back(fmt::format("axis={}", which));
      return {fmt::format("concat({})", fmt::join(parts, ", ")), 10};
    }
    for (std::size_t which = 0; which < bounds_.size(); which++)
      if (concat(whole, Scalar::Kind::bound, which, &parts))
        return {fmt::format("concat({})", fmt::join(parts, ", ")), 10};
    return {"if " + write(s.args[0]).text + " then " + write(s.args[1]).text + " else " +
                write(s.args[2]).text,
            1};
  }

  Text apply(const Scalar& s) {
    if (s.op == Opcode::cast) return write(s.args[0]);
    if (s.op == Opcode::neg) return {"-" + wrapped(write(s.args[0]), 7), 7};
    if (s.op == Opcode::logical_not) return {"not " + wrapped(write(s.args[0]), 7), 4};
    if (s.op == Opcode::select) return select(s);
    if (s.op == Opcode::sub && s.args[0]->kind == Scalar::Kind::end &&
        s.args[1]->kind == Scalar::Kind::first && s.args[0]->domain == s.args[1]->domain)
      return {"len(" + list_name(context_, s.args[0]->domain) + ")", 10};
    if (const Infix in = infix(s.op); in.text)
      return {wrapped(write(s.args[0]), in.strength) + in.text +
                  wrapped(write(s.args[1]), in.strength + 1),
              in.strength};
    std::string text = wave::opcode_name(s.op);
    for (std::size_t i = 0; i < s.args.size(); i++)
      text += (i == 0 ? "(" : ", ") + write(s.args[i]).text;
    return {text + ")", 10};
  }

  const Context& context_;
  std::map<Id, Text> in_place_;  // of products that are written where they are used
  std::map<Id, std::string> names_;
  std::vector<Range> axes_, bounds_;  // what each goes through, here
};

const std::vector<std::int64_t>& shape_of(const Context& context, const Work& work) {
  return context.entry.value(work.result != wave::none ? work.result : work.carry).shape;
}

Text product_text(const Context& context, Writer& writer, const Work& work) {
  const Product& product = work.product;
  const ScalarRef row = product.row
                            ? wave::load(product.operand, Dtype::f32, nullptr, {product.row})
                            : wave::load(product.operand, Dtype::f32, product.element);
  const Text weights = writer.write(product.weights, shape_of(context, work), product.over);
  return {wrapped(weights, 6) + " @ " + writer.write(row, {}, {}).text, 6};
}

std::string equation(const Context& context, Writer& writer, const Work& work) {
  if (work.kind == Work::Kind::steps) return "";
  if (work.kind == Work::Kind::check) return "check " + writer.write(work.body, {}, {}).text;
  const Id result = work.result != wave::none ? work.result : work.carry;
  const std::string name = writer.name(result) + " = ";
  if (work.kind == Work::Kind::product) return name + product_text(context, writer, work).text;
  const std::string body = writer.write(work.body, shape_of(context, work), work.axes).text;
  if (work.reduce == Reduce::map) return name == body + " = " ? "" : name + body;
  return name + wave::reduce_name(work.reduce) + "(" + body +
         (work.list != wave::none ? " for k in " + list_name(context, work.list) : "") + ")";
}

int uses(const Group& group, Id value) {
  int count = 0;
  for (const Work& work : group.works)
    wave::visit(work.body, [&](const Scalar& s) {
      count += s.kind == Scalar::Kind::load && s.value == value ? 1 : 0;
    });
  return count;
}

}  // namespace

std::string equations(const Context& context, const Group& group) {
  Writer writer(context);
  writer.name_results(group);
  std::string text;
  for (const Work& work : group.works) {
    if (work.kind == Work::Kind::product && !work.stored && uses(group, work.result) == 1) {
      writer.put_in_place(work.result, product_text(context, writer, work));
      continue;
    }
    const std::string made = equation(context, writer, work);
    if (!made.empty()) text += (text.empty() ? "" : "\n") + made;
  }
  return text;
}

std::vector<std::int64_t> lines(const Context& context, const Group& group) {
  std::set<std::int64_t> found;
  for (const Work& work : group.works)
    if (work.result != wave::none) found.insert(context.entry.value(work.result).line);
  found.erase(0);
  return {found.begin(), found.end()};
}

}  // namespace espalier::to_loop
