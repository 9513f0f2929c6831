// Expressions and patterns of the functional IR: immutable, shared trees.
//
// The structured JSON (language.md section 6) is a one-to-one serialization of these. Before
// checking, `type` is null and names are as written; after checking (fun_pass/check.h) every
// expression and pattern has its type and only the forms marked "core" remain.
//
// As read, before checking:
// - `f(x, axis=0)` is a call: parts[0] the callee, then the arguments; `options` the named ones.
// That
//   holds for operators too: `sum(e for k in ks)` calls the variable `sum` with an each. Infix and
//   prefix operators are `op` ("+", "-" with one or two parts, "@", "//", "**", "==", "and",
//   "not"); so is the structured {"op": "concat", ..}, with the parts that the call would have
//   behind its callee.
// - `zeros[n, m]` is an index of the variable `zeros`; the f32 of `cast(x, f32)` is a variable.
// - `true` and `false` are numbers 1 and 0 of type bool, so named in number_text. `inf`, `nan` are
//   numbers; `-3` is the number -3. A number (or an index of zeros, ones, iota) whose type is set
//   has that dtype whatever its context: {"const": 3, "type": "i64"}.
// - `Tree.Node(..)` is a construct where Tree is a data type or names one; otherwise it is a call
// of a
//   field of a variable.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/source.h"
#include "fun/type.h"

namespace espalier::fun {

struct Pattern;
struct Expr;
using PatternRef = std::shared_ptr<const Pattern>;
using ExprRef = std::shared_ptr<const Expr>;

struct Pattern {
  enum class Kind : std::uint8_t {
    wildcard,  // _
    variable,  // x, or *x as an item of a list
    number,    // 3
    variant,   // Tree.Node(l, r): `type_name` "Tree" or "", `name` "Node"
    tuple,     // (a, b)
    list,      // [x, *rest]: at most one starred item, first or last
  };
  Kind kind = Kind::wildcard;
  Loc loc;
  TypeRef type;           // after checking
  std::string name;       // variable, variant
  std::string type_name;  // variant; always set after checking
  double number = 0;
  std::vector<PatternRef> parts;  // variant: a pattern a payload field; tuple; list
  int starred = -1;               // list: which part is starred, if any
};

struct Case {
  PatternRef pattern;
  ExprRef body;
};

// One statement of a block: `pattern = value`, or a local function, which is a variable bound to a
// `lambda` (flag `function_form` keeps the spelling `name(args) = ...`).
struct Statement {
  PatternRef pattern;
  ExprRef value;
  bool function_form = false;
};

// An index of x[...]: one expression, or a slice. Bounds and step are literal after checking.
struct Index {
  ExprRef at;                // null for a slice
  ExprRef begin, end, step;  // slice; null where left out
  bool slice = false;
};

struct Expr {
  enum class Kind : std::uint8_t {
    variable,     // core: a local, an argument, a parameter, a constant (`binding` says which)
    number,       // core: `number`, typed by its context
    text,         // 'hij,i,j->h'; only as an argument of einsum
    block,        // core: `statements`, then `parts[0]`
    tuple,        // core: `parts`, `names` (or empty)
    field,        // core: `name` (or its number as text) of parts[0]
    conditional,  // core: if parts[0] then parts[1] else parts[2]
    match,        // core: parts[0], `cases`
    lambda,       // core only as an argument of fold, scan, vjp, grad: `params`, body parts[0]
    call,         // core only of a global recursive function by `name`: parts are the arguments.
                  // Before checking: parts[0] is the callee, the rest the arguments
    op,           // core: operator `name`, `parts` its operands, `options` its named arguments
    construct,    // core: variant `name` of `type_name`
    list,         // core: literal
    each,         // core: [parts[0] for params[0] in parts[1]]
    index,        // core: parts[0][`indices`]
  };
  enum class Binding : std::uint8_t { local, argument, parameter, constant, function };

  Kind kind = Kind::number;
  Loc loc;
  Loc name_loc;  // where `name` itself is written: of op, field, construct; else nowhere
  TypeRef type;  // after checking; before, of a number with a dtype of its own
  std::string name;
  std::string type_name;
  Binding binding = Binding::local;
  double number = 0;
  std::string number_text;  // as written, for printing and for i64 beyond 2^53
  std::vector<ExprRef> parts;
  std::vector<std::string> names;
  std::vector<Statement> statements;
  std::vector<Case> cases;
  std::vector<PatternRef> params;
  std::vector<Index> indices;
  std::vector<std::pair<std::string, ExprRef>> options;  // op: name=value, in the order written
  std::vector<Loc> option_locs;                          // as read: where their names are written
};

// Builders; the location is copied from `at`.
std::shared_ptr<Expr> make(Expr::Kind, Loc);
std::shared_ptr<Pattern> make_pattern(Pattern::Kind, Loc);

}  // namespace espalier::fun
