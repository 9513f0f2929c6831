#include "wave/verify_scalar.h"

#include <fmt/format.h>

#include "wave/analysis.h"
#include "wave/simplify.h"
#include "wave/text.h"

namespace espalier::wave {
namespace {

class ScalarVerifier {
 public:
  explicit ScalarVerifier(const Position& at) : at_(at), entry_(at.entry) {}

  void check(const ScalarRef& s) const {
    for (const ScalarRef& arg : s->args)
      if (arg) check(arg);
    switch (s->kind) {
      case Scalar::Kind::number: return;
      case Scalar::Kind::axis: return axis(*s, at_.axes);
      case Scalar::Kind::bound: return axis(*s, at_.bounds);
      case Scalar::Kind::element:
        return hold(entry_.domain(at_.domain).kind != Domain::Kind::once,
                    "'d' where there is no element");
      case Scalar::Kind::item: return hold(at_.list != none, "'e' outside a reduction over a list");
      case Scalar::Kind::owner: return of_list(s, [&](Id list) { return list; });
      case Scalar::Kind::first:
      case Scalar::Kind::end: return of_list(s, [&](Id list) { return entry_.domain(list).owner; });
      case Scalar::Kind::load: return load(s);
      case Scalar::Kind::apply: return apply(s);
    }
  }

 private:
  static void hold(bool holds, const std::string& otherwise) {
    if (!holds) throw Unsound(otherwise);
  }

  void axis(const Scalar& s, const std::vector<std::int64_t>& extents) const {
    hold(s.which >= 0 && static_cast<std::size_t>(s.which) < extents.size(),
         fmt::format("there is no axis {}", s.which));
    hold(s.extent == 0 || s.extent == extents[static_cast<std::size_t>(s.which)],
         fmt::format("axis {} is not of extent {}", s.which, s.extent));
  }

  template <class Wanted>
  void of_list(const ScalarRef& s, const Wanted& wanted) const {
    hold(s->domain >= 0 && static_cast<std::size_t>(s->domain) < entry_.domains.size(),
         "a list that does not exist");
    hold(entry_.domain(s->domain).owner != none,
         fmt::format("'{}' is no list", entry_.domain(s->domain).name));
    hold(s->args.size() == 1 && s->args[0] != nullptr, "a list without an element");
    belongs(s->args[0], wanted(s->domain));
  }

  // Is `element` of `domain`, as far as can be told?
  void belongs(const ScalarRef& element, Id domain) const {
    hold(element->dtype == Dtype::i64, fmt::format("element '{}' is not i64", text(element)));
    const std::optional<Id> known = element_domain(entry_, at_.domain, at_.list, element);
    hold(!known || *known == domain,
         fmt::format("'{}' is no element of '{}'", text(element), entry_.domain(domain).name));
  }

  void load(const ScalarRef& s) const {
    hold(s->value >= 0 && static_cast<std::size_t>(s->value) < entry_.values.size(),
         "a value that does not exist");
    const Value& v = entry_.value(s->value);
    hold(s->dtype == v.dtype, fmt::format("%{} is loaded as another dtype than its own", v.name));
    const bool once = entry_.domain(v.domain).kind == Domain::Kind::once;
    hold(!s->args.empty() && (s->args[0] == nullptr) == once,
         once ? fmt::format("%{} has no elements, but is loaded at one", v.name)
              : fmt::format("%{} is loaded without an element", v.name));
    if (!once) belongs(s->args[0], v.domain);
    hold(s->args.size() == v.shape.size() + 1,
         fmt::format("%{} has {} axes, but is loaded with {} indices", v.name, v.shape.size(),
                     s->args.size() - 1));
    for (std::size_t i = 1; i < s->args.size(); ++i)
      hold(s->args[i] && s->args[i]->dtype == Dtype::i64,
           fmt::format("an index of %{} is not i64", v.name));
  }

  void apply(const ScalarRef& s) const {
    const int arity = opcode_arity(s->op);
    hold(!s->args.empty() && (arity < 0 || s->args.size() == static_cast<std::size_t>(arity)),
         fmt::format("'{}' with {} operands", opcode_name(s->op), s->args.size()));
    for (const ScalarRef& arg : s->args) hold(arg != nullptr, "an operation without an operand");
    if (s->op == Opcode::cast) return;
    const Dtype last = s->args.back()->dtype;
    hold(s->dtype == result_dtype(s->op, last), fmt::format("'{}' is of a wrong dtype", text(s)));
    const bool logic =
        s->op == Opcode::logical_and || s->op == Opcode::logical_or || s->op == Opcode::logical_not;
    for (std::size_t i = 0; i < s->args.size(); ++i) {
      const bool condition = s->op == Opcode::select && i == 0;
      hold(s->args[i]->dtype == (condition || logic ? Dtype::boolean : last),
           fmt::format("the operands of '{}' are of different dtypes", text(s)));
    }
  }

  std::string text(const ScalarRef& s) const { return print(entry_, s); }

  const Position& at_;
  const Entry& entry_;
};

}  // namespace

void verify_scalar(const Position& at, const ScalarRef& s) { ScalarVerifier(at).check(s); }

}  // namespace espalier::wave
