#include "ops/use.h"

#include <cmath>

#include "base/bug.h"
#include "base/numbers.h"

namespace espalier::ops {
namespace {

// Exact also beyond 2^53, by way of the text.
void set_number(Option& made, double number, const std::string& text) {
  made.number = number;
  if (const auto exact = parse_int(text)) {
    made.integral = true;
    made.dim = fun::Dim(*exact);
  } else if (std::floor(number) == number && std::fabs(number) < std::ldexp(1.0, 53)) {
    made.integral = true;
    made.dim = fun::Dim(static_cast<std::int64_t>(number));
  }
}

}  // namespace

Option option_of(const fun::Expr& e) {
  Option made;
  made.loc = e.loc;
  switch (e.kind) {
    case fun::Expr::Kind::number: set_number(made, e.number, e.number_text); break;
    case fun::Expr::Kind::text:
    case fun::Expr::Kind::variable: made.text = e.name; break;
    case fun::Expr::Kind::list:
      made.is_list = true;
      for (const fun::ExprRef& part : e.parts) made.list.push_back(option_of(*part));
      break;
    case fun::Expr::Kind::op:
      require(e.name == "-" && e.parts.size() == 1, "an operator's option is no literal");
      made = option_of(*e.parts[0]);
      made.loc = e.loc;
      made.number = -made.number;
      made.dim = fun::Dim(0) - made.dim;
      break;
    default: throw Bug("an operator's option is no literal");
  }
  return made;
}

Use use_of(const fun::Expr& e) {
  require(e.kind == fun::Expr::Kind::op, "use_of takes an operator's expression");
  Use use;
  use.op = find(e.name);
  require(use.op != nullptr, "an operator is not in the table");
  for (const fun::ExprRef& part : e.parts) {
    require(part->type != nullptr, "an operand has no type");
    use.types.push_back(part->type);
    use.locs.push_back(part->loc);
  }
  for (const auto& [name, value] : e.options) use.options[name] = option_of(*value);
  use.result = e.type;
  use.loc = e.loc;
  return use;
}

}  // namespace espalier::ops
