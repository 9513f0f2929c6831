// Products: tiles of rows against panels of weights.
#include <fmt/format.h>

#include "base/bug.h"
#include "to_loop/lower.h"
#include "to_loop/notes.h"

namespace espalier::to_loop {

using loop::Buffer;
using loop::Type;
using wave::Scalar;
using wave::Value;

namespace {

constexpr int tile_rows = 4;

std::int64_t size_of(const std::vector<std::int64_t>& extents) {
  std::int64_t size = 1;
  for (const std::int64_t n : extents) size *= n;
  return size;
}

// Rows of consecutive elements lie one after the other.
bool contiguous(Code& code, const Product& product, Id domain) {
  if (!product.element || product.element->kind != Scalar::Kind::element) return false;
  const Value& v = code.context.entry.value(product.operand);
  if (v.kind == Value::Kind::previous) return false;
  const Place place = code.context.place_of(product.operand);
  if (place.row == Place::Row::element) return true;
  return place.row == Place::Row::all && (code.level || code.context.one_class()) &&
         code.context.entry.domain(domain).kind != wave::Domain::Kind::list;
}

// The tile under construction.
struct Tile {
  Code& code;
  const Work& work;
  std::string n, r, j, k;
  ExprRef over;      // extent of the sums
  std::string sums;  // local array
  std::string array;  // of pointers to the operand's rows, unless they are contiguous
};

// x[r][k], or x[r * stride + k]
ExprRef operand_at(Tile& t, const ExprRef& base, const ExprRef& r, const ExprRef& k) {
  if (t.array.empty()) {
    const int buffer = t.code.context.place_of(t.work.product.operand).buffer;
    const ExprRef stride = t.code.stride(buffer, t.work.product.operand);
    return loop::load(base->name, loop::float_type, loop::add(loop::mul(r, stride), k));
  }
  auto made = std::make_shared<loop::Expr>(*loop::load(-1, loop::float_type, k));
  made->args.push_back(loop::item(t.array, {Dtype::f32, false, true}, r));
  return made;
}

ExprRef open_operand(Tile& t) {
  Code& code = t.code;
  Env env;
  env.domain = t.work.domain;
  const Product& product = t.work.product;
  env.element = loop::variable(t.n);
  if (contiguous(code, product, t.work.domain)) {
    const ExprRef at = code.pointer_to(product.operand, env.element, false, env);
    if (at->kind == loop::Expr::Kind::variable) return at;
  }
  t.array = code.name(code.read_name(product.operand, product.element));
  Stmt rows = loop::simple(Stmt::Kind::variable);
  rows.name = t.array;
  rows.type = {Dtype::f32, false, true};
  rows.count = loop::variable("rows");
  code.add(std::move(rows));
  code.open_loop(t.r, loop::integer(0), loop::variable("rows"));
  env.element = loop::add(loop::variable(t.n), loop::variable(t.r));
  env.guarded = true;  // not hoisted: it is the row of this r
  ExprRef from;
  if (product.row) {
    const int buffer = code.context.place_of(product.operand).buffer;
    from = loop::address(buffer, {Dtype::f32, false, true}, unwidened(code.scalar(product.row, env)),
                         code.table_stride(product.operand));
  } else {
    const ExprRef element = product.element ? code.scalar(product.element, env) : nullptr;
    from = code.pointer_to(product.operand, element, false, env);
  }
  Stmt set = loop::assign(t.array, "", from);
  set.index = loop::variable(t.r);
  code.add(std::move(set));
  code.close_loop();
  return nullptr;
}

void add_sums(Tile& t, const ExprRef& base) {
  Code& code = t.code;
  Stmt sums = loop::simple(Stmt::Kind::variable);
  sums.name = t.sums;
  sums.type = loop::vec_type;
  sums.count = loop::variable("rows");
  code.add(std::move(sums));
  const Type pointer_type{Dtype::f32, false, true};
  code.add(loop::let("panel", loop::address(t.work.product.panels, pointer_type, loop::variable(t.j),
                                            t.over)));
  const ExprRef k = loop::variable(t.k), r = loop::variable(t.r);
  code.open_loop(t.k, loop::integer(0), t.over);
  code.open_loop(t.r, loop::integer(0), loop::variable("rows"));
  const ExprRef panel =
      loop::load("panel", loop::vec_type, loop::mul(k, loop::constant("lanes", 0)));
  Stmt step = loop::assign(
      t.sums, "+",
      loop::binary("*", loop::vec_type, panel,
                   loop::cast(loop::vec_type, operand_at(t, base, r, k))));
  step.index = r;
  code.add(std::move(step));
  code.close_loop();
  code.close_loop();
}

// The sums as rows of the result.
void add_epilogue(Tile& t) {
  Code& code = t.code;
  const ExprRef r = loop::variable(t.r), j = loop::variable(t.j);
  Env env;
  env.domain = t.work.domain;
  env.element = loop::variable(t.n);
  const Place place = code.context.place_of(t.work.result);
  const bool scattered =
      place.row == Place::Row::edge ||
      (place.row == Place::Row::all && !code.level && !code.context.one_class());
  const ExprRef stride = code.stride(place.buffer, t.work.result);
  ExprRef out;
  if (!scattered) out = code.pointer_at(place, t.work.result, code.row_at(place, t.work.domain, env.element, env), true, env);
  code.open_loop(t.r, loop::integer(0), loop::variable("rows"));
  Stmt made;
  const ExprRef sum = loop::item(t.sums, loop::vec_type, r);
  if (scattered) {
    env.element = loop::add(env.element, r);
    out = code.pointer_at(place, t.work.result, code.row_at(place, t.work.domain, env.element, env), true, env);
    made = loop::store(out->name, j, sum);
  } else {
    made = loop::store(out->name, loop::add(loop::mul(r, stride), j), sum);
  }
  code.add(std::move(made));
  code.close_loop();
}

int make_tile(Context& context, const Work& work, bool level, const std::string& name,
              std::string* element) {
  Code code(context, work.domain, level);
  for (const char* taken : {"panel", "rows"}) code.name(taken);
  code.reserve_values({work.result, work.product.operand});
  code.open();
  Tile t{code, work, code.loop_name({"n", "node"}), code.loop_name({"r", "s"}), "", "", nullptr, "", ""};
  if (context.entry.domain(work.domain).kind == wave::Domain::Kind::list)
    t.n = code.loop_name({"e", "item"});
  code.close();
  code.declare(t.n);
  t.sums = code.name("sum");
  t.j = code.loop_name({"j"});
  t.k = code.loop_name({"k"});
  const auto& over = work.product.over;
  t.over = over.size() == 1
               ? context.shared.extent(over[0], context.bound_dim(work.product.weights, 0, over[0]))
               : loop::integer(size_of(over));
  const ExprRef base = open_operand(t);
  const Value& v = context.entry.value(work.result);
  code.open_loop(t.j, loop::integer(0), context.shared.row_extent(v.shape[0], context.dim(work.result, 0)));
  add_sums(t, base);
  add_epilogue(t);
  code.close_loop();
  std::vector<Stmt> body = code.close();
  for (Stmt& s : body)
    if (s.kind == Stmt::Kind::loop && s.name == t.j) {
      s.step = loop::constant("lanes", 0);
      s.loop = Stmt::Loop::vector;
    }
  loop::Function function;
  function.name = name;
  function.tile = "rows";
  function.comment = equation(context, work) + ", for `rows` rows from " + t.n + " on";
  function.body = std::move(body);
  *element = t.n;
  const int made = finish_function(context, std::move(function));
  context.shared.module.functions[static_cast<std::size_t>(made)].params.push_back({"int", t.n});
  return made;
}

ExprRef tile_constant(Context& context) {
  auto& name = context.shared.constant_names["tile_rows"];
  if (name.empty()) {
    name = context.shared.names.unique("tile_rows");
    context.shared.module.named.push_back(
        {name, std::to_string(tile_rows), "rows of a tile, whose sums stay in registers"});
  }
  return loop::constant(name, tile_rows);
}

// The leaf of which the weights are all, as they stand: W[i0, r0]; else "".
std::string whole_parameter(const Context& context, const Work& work) {
  const Scalar& s = *work.product.weights;
  if (s.kind != Scalar::Kind::load || s.args.size() != 3 ||
      s.args[1]->kind != Scalar::Kind::axis || s.args[2]->kind != Scalar::Kind::bound)
    return "";
  const Value& v = context.entry.value(s.value);
  const std::vector<std::int64_t> shape = {context.entry.value(work.result).shape[0],
                                           work.product.over[0]};
  return v.kind == Value::Kind::parameter && v.dtype == Dtype::f32 && v.shape == shape ? v.source : "";
}

}  // namespace

Made make_product(Context& context, const Work& work, bool level) {
  const std::string value = context.entry.value(work.result).name;
  std::string n;
  const int tile =
      make_tile(context, work, level, context.shared.names.unique(value + "_tile"), &n);
  const ExprRef rows = tile_constant(context);
  loop::Function function;
  function.name = context.shared.names.unique("compute_" + value);
  Group group{work.domain, {work}};
  function.comment = equation(context, work) + "\n" + cost(context, group);
  const ExprRef begin = loop::variable("begin"), end = loop::variable("end");
  const ExprRef whole = loop::variable("whole"), at = loop::variable(n);
  function.body.push_back(loop::let(
      "whole", loop::add(begin, loop::mul(loop::binary("/", loop::int_type, loop::sub(end, begin), rows),
                                          rows))));
  Stmt tiles = loop::for_loop(n, begin, whole, {call_of(context, tile, {{n, at}}, rows->name)});
  tiles.step = rows;
  function.body.push_back(std::move(tiles));
  Stmt rest = loop::simple(Stmt::Kind::choose);
  rest.value = loop::sub(end, whole);
  for (int r = tile_rows - 1; r > 0; r--)
    rest.body.push_back(call_of(context, tile, {{n, whole}}, std::to_string(r)));
  function.body.push_back(std::move(rest));
  return {finish_function(context, std::move(function)), false};
}

int panels_of(Context& context, const Work& work) {
  Shared& shared = context.shared;
  const Value& v = context.entry.value(work.result);
  const std::string leaf = whole_parameter(context, work);
  const auto entry = static_cast<std::size_t>(&context.out - shared.module.entries.data());
  for (const Shared::Panels& known : shared.panels)
    if ((!leaf.empty() && known.leaf == leaf) ||
        (known.rows == v.shape[0] && known.over == work.product.over && known.entry == entry &&
         wave::equal(known.weights, work.product.weights)))
      return known.buffer;
  std::string name = v.name + "_weights";
  std::vector<std::string> sources;
  wave::visit(work.product.weights, [&](const Scalar& s) {
    if (s.kind == Scalar::Kind::load) sources.push_back(context.entry.value(s.value).name);
  });
  if (sources.size() == 1) name = sources[0];
  Buffer buffer;
  buffer.space = Buffer::Space::prepared;
  buffer.name = shared.model_names.unique(name);
  const std::int64_t over = size_of(work.product.over);
  buffer.shape = {loop::padded(v.shape[0]) * over};
  buffer.inner = buffer.stride = buffer.shape[0];
  const std::string dim = context.dim(work.result, 0);
  const auto& extents = work.product.over;
  std::string k = std::to_string(over);
  if (extents.size() == 1)
    if (const std::string named = context.bound_dim(work.product.weights, 0, over); !named.empty())
      k = named;
  buffer.layout = fmt::format("[{} / lanes][{}][lanes]", dim.empty() ? std::to_string(v.shape[0]) : dim, k);
  shared.module.buffers.push_back(buffer);
  const int made = static_cast<int>(shared.module.buffers.size()) - 1;
  shared.panels.push_back({leaf, work.product.weights, work.product.over, v.shape[0], made, entry});
  return made;
}

}  // namespace espalier::to_loop
