#include "wave/scalar.h"

#include <bit>
#include <iterator>
#include <map>

#include "base/bug.h"
#include "wave/integer.h"
#include "wave/simplify.h"

namespace espalier::wave {
namespace {

constexpr struct {
  const char* name;
  int arity;
} opcodes[] = {
#define OPCODE(name, arity) {#name, arity},
#include "wave/opcodes.def"
#undef OPCODE
};

std::shared_ptr<Scalar> node(Scalar::Kind kind, Dtype dtype) {
  auto made = std::make_shared<Scalar>();
  made->kind = kind;
  made->dtype = dtype;
  return made;
}

ScalarRef of_list(Scalar::Kind kind, Id list, ScalarRef arg) {
  auto made = node(kind, Dtype::i64);
  made->domain = list;
  made->args = {std::move(arg)};
  return made;
}

bool same_leaf(const Scalar& a, const Scalar& b) {
  return a.kind == b.kind && a.dtype == b.dtype && a.integer == b.integer && a.which == b.which &&
         std::bit_cast<std::uint64_t>(a.number) == std::bit_cast<std::uint64_t>(b.number) &&
         a.domain == b.domain && a.value == b.value && a.op == b.op &&
         a.args.size() == b.args.size();
}

// `from` with other arguments.
ScalarRef rebuilt(const Scalar& from, std::vector<ScalarRef> args) {
  if (from.kind == Scalar::Kind::apply)
    return from.op == Opcode::cast ? cast(from.dtype, args[0]) : apply(from.op, std::move(args));
  auto made = std::make_shared<Scalar>(from);
  made->args = std::move(args);
  return made;
}

class Rewriter {
 public:
  explicit Rewriter(const std::function<ScalarRef(const ScalarRef&)>& replace)
      : replace_(replace) {}

  ScalarRef run(const ScalarRef& scalar) {
    if (!scalar) return scalar;
    const auto known = done_.find(scalar.get());
    if (known != done_.end()) return known->second;
    ScalarRef made = with_children(scalar);
    if (ScalarRef other = replace_(made)) made = std::move(other);
    done_.emplace(scalar.get(), made);
    return made;
  }

 private:
  ScalarRef with_children(const ScalarRef& scalar) {
    std::vector<ScalarRef> args;
    bool changed = false;
    for (const ScalarRef& arg : scalar->args) {
      args.push_back(run(arg));
      changed = changed || args.back() != arg;
    }
    return changed ? rebuilt(*scalar, std::move(args)) : scalar;
  }

  const std::function<ScalarRef(const ScalarRef&)>& replace_;
  std::map<const Scalar*, ScalarRef> done_;  // a shared part is rewritten once
};

}  // namespace

Dtype result_dtype(Opcode op, Dtype last) {
  const bool truth = op == Opcode::isnan || (op >= Opcode::eq && op <= Opcode::logical_not);
  return truth ? Dtype::boolean : last;
}

ScalarRef number(double value, Dtype dtype) {
  if (!is_float(dtype)) return integer(static_cast<std::int64_t>(value), dtype);
  auto made = node(Scalar::Kind::number, dtype);
  made->number = value;
  return made;
}

ScalarRef integer(std::int64_t value, Dtype dtype) {
  if (is_float(dtype)) return number(static_cast<double>(value), dtype);
  auto made = node(Scalar::Kind::number, dtype);
  made->integer = wrap(value, dtype);
  return made;
}

ScalarRef axis(int which, std::int64_t extent) {
  auto made = node(Scalar::Kind::axis, Dtype::i64);
  made->which = which;
  made->extent = extent;
  return made;
}

ScalarRef bound(int which, std::int64_t extent) {
  auto made = node(Scalar::Kind::bound, Dtype::i64);
  made->which = which;
  made->extent = extent;
  return made;
}

ScalarRef element() { return node(Scalar::Kind::element, Dtype::i64); }
ScalarRef item() { return node(Scalar::Kind::item, Dtype::i64); }

ScalarRef owner(Id list, ScalarRef item) {
  return of_list(Scalar::Kind::owner, list, std::move(item));
}
ScalarRef first(Id list, ScalarRef element) {
  return of_list(Scalar::Kind::first, list, std::move(element));
}
ScalarRef end(Id list, ScalarRef element) {
  return of_list(Scalar::Kind::end, list, std::move(element));
}

ScalarRef load(Id value, Dtype dtype, ScalarRef element_or_null, std::vector<ScalarRef> indices) {
  auto made = node(Scalar::Kind::load, dtype);
  made->value = value;
  made->args.push_back(std::move(element_or_null));
  for (ScalarRef& index : indices) made->args.push_back(std::move(index));
  return made;
}

ScalarRef apply(Opcode op, std::vector<ScalarRef> args) {
  const int arity = opcodes[static_cast<std::size_t>(op)].arity;
  require(arity < 0 || args.size() == static_cast<std::size_t>(arity),
          "scalar operation with a wrong number of arguments");
  require(op != Opcode::cast, "casts are built by cast()");
  const Dtype dtype = result_dtype(op, args.back()->dtype);
  if (ScalarRef simple = simplify(op, dtype, args)) return simple;
  return plain_apply(op, dtype, std::move(args));
}

ScalarRef cast(Dtype dtype, ScalarRef arg) {
  if (arg->dtype == dtype) return arg;
  if (ScalarRef simple = simplify(Opcode::cast, dtype, {arg})) return simple;
  return plain_apply(Opcode::cast, dtype, {std::move(arg)});
}

ScalarRef plain_apply(Opcode op, Dtype dtype, std::vector<ScalarRef> args) {
  auto made = node(Scalar::Kind::apply, dtype);
  made->op = op;
  made->args = std::move(args);
  return made;
}

bool equal(const ScalarRef& a, const ScalarRef& b) {
  if (a == b) return true;
  if (!a || !b || !same_leaf(*a, *b)) return false;
  for (std::size_t i = 0; i < a->args.size(); ++i)
    if (!equal(a->args[i], b->args[i])) return false;
  return true;
}

ScalarRef rewrite(const ScalarRef& scalar,
                  const std::function<ScalarRef(const ScalarRef&)>& replace) {
  return Rewriter(replace).run(scalar);
}

void visit(const ScalarRef& scalar, const std::function<void(const Scalar&)>& see) {
  if (!scalar) return;
  see(*scalar);
  for (const ScalarRef& arg : scalar->args) visit(arg, see);
}

int opcode_arity(Opcode op) { return opcodes[static_cast<std::size_t>(op)].arity; }
const char* opcode_name(Opcode op) { return opcodes[static_cast<std::size_t>(op)].name; }

std::optional<Opcode> find_opcode(std::string_view name) {
  for (std::size_t i = 0; i < std::size(opcodes); ++i)
    if (name == opcodes[i].name) return static_cast<Opcode>(i);
  return std::nullopt;
}

}  // namespace espalier::wave
