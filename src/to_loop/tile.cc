// Products of one operand: tiles of rows against panels of weights, finished in registers.
#include <fmt/format.h>

#include "base/bug.h"
#include "loop/lanes.h"
#include "to_loop/lower.h"
#include "to_loop/notes.h"

namespace espalier::to_loop {

using loop::Type;
using wave::Scalar;
using wave::Value;

std::int64_t size_of(const std::vector<std::int64_t>& extents) {
  std::int64_t size = 1;
  for (const std::int64_t n : extents) size *= n;
  return size;
}

namespace {

constexpr Type pointer_type{Dtype::f32, false, true};
// Rows of a tile by its products: where there are 16 vector registers, and 32.
constexpr int few_rows[] = {0, 8, 4, 4, 3}, many_rows[] = {0, 8, 8, 8, 6};

// The tile function under construction.
class Tile {
 public:
  Tile(Context& context, const Group& group, bool level)
      : context_(context), group_(group), code_(context, group.domain, level) {
    for (const Work& work : group.works)
      (work.kind == Work::Kind::product ? products_ : epilogue_).push_back(work);
    code_.name("rows");
    std::vector<Id> values = {head().operand};
    for (const Work& work : group.works) {
      values.push_back(work.result != wave::none ? work.result : work.carry);
      wave::visit(work.body, [&](const Scalar& s) {
        if (s.kind == Scalar::Kind::load) values.push_back(s.value);
      });
    }
    code_.reserve_values(values);
    for (const Work& work : group.works)  // variables have the plain names
      if (work.result != wave::none && (work.local || work.reduce != wave::Reduce::map))
        code_.value_name(work.result);
    const bool items = context.entry.domain(group.domain).kind == wave::Domain::Kind::list;
    n_ = items ? code_.loop_name({"e", "item"}) : code_.loop_name({"n", "node"});
    r_ = code_.loop_name({"r", "s"});
    j_ = code_.loop_name({"j"});
    k_ = code_.loop_name({"k"});
  }

  int make(const std::string& name, const std::string& comment) {
    code_.declare(n_);
    open_operand();
    const Work& work = products_[0];
    const Value& v = context_.entry.value(work.result);
    code_.open_loop(j_, loop::integer(0),
                    context_.shared.row_extent(v.shape[0], context_.dim(work.result, 0)));
    add_sums();
    add_epilogue();
    code_.close_loop();
    loop::Function function;
    function.name = name;
    function.tile = "rows";
    function.comment = comment;
    function.body = code_.close();
    finish_lanes(function, v.shape[0], context_.dim(work.result, 0));
    return finish_function(context_, std::move(function), {}, {{"int", n_}});
  }

  const std::string& first() const { return n_; }

 private:
  const Product& head() const { return products_[0].product; }

  // Rows of consecutive elements lie one after the other.
  bool contiguous() const {
    const Product& product = head();
    if (!product.element || product.element->kind != Scalar::Kind::element) return false;
    if (context_.entry.value(product.operand).kind == Value::Kind::previous) return false;
    const Place place = context_.place_of(product.operand);
    if (place.row == Place::Row::element) return true;
    return place.row == Place::Row::all && (code_.level || context_.one_class()) &&
           context_.entry.domain(group_.domain).kind != wave::Domain::Kind::list;
  }

  // The operand's rows: one pointer where they are contiguous, else an array of pointers.
  void open_operand() {
    Env env;
    env.domain = group_.domain;
    env.element = loop::variable(n_);
    if (contiguous()) {
      rows_ = code_.pointer_to(head().operand, env.element, false, env);
      if (rows_->kind == loop::Expr::Kind::variable) return;
    }
    array_ = code_.name(context_.read_name(head().operand, head().element));
    Stmt rows = loop::simple(Stmt::Kind::variable);
    rows.name = array_;
    rows.type = pointer_type;
    rows.count = loop::variable("rows");
    code_.add(std::move(rows));
    code_.open_loop(r_, loop::integer(0), loop::variable("rows"));
    env.element = loop::add(loop::variable(n_), loop::variable(r_));
    env.guarded = true;  // not hoisted: it is the row of this r
    Stmt set = loop::assign(array_, "", operand_row(env));
    set.index = loop::variable(r_);
    code_.add(std::move(set));
    code_.close_loop();
  }

  ExprRef operand_row(const Env& env) {
    const Product& product = head();
    if (!product.row)
      return code_.pointer_to(product.operand,
                              product.element ? code_.scalar(product.element, env) : nullptr, false,
                              env);
    const int buffer = context_.place_of(product.operand).buffer;
    return loop::address(buffer, pointer_type, unwidened(code_.scalar(product.row, env)),
                         code_.table_stride(product.operand));
  }

  // x[r][k], or x[r * stride + k]
  ExprRef operand_at(const ExprRef& r, const ExprRef& k) {
    if (array_.empty()) {
      const int buffer = context_.place_of(head().operand).buffer;
      const ExprRef stride = code_.stride(buffer, head().operand);
      return loop::load(rows_->name, loop::float_type, loop::add(loop::mul(r, stride), k));
    }
    auto made = std::make_shared<loop::Expr>(*loop::load(-1, loop::float_type, k));
    made->args.push_back(loop::item(array_, pointer_type, r));
    return made;
  }

  ExprRef over() {
    const auto& extents = head().over;
    if (extents.size() > 1) return loop::integer(size_of(extents));
    return context_.shared.extent(extents[0], context_.bound_dim(head().weights, 0, extents[0]));
  }

  void add_sums() {
    const ExprRef k = loop::variable(k_), r = loop::variable(r_), size = over();
    std::vector<std::string> panels;
    for (const Work& work : products_) {
      panels.push_back(code_.name(context_.shared.module.buffer(work.product.panels).name));
      code_.add(loop::let(panels.back(), loop::address(work.product.panels, pointer_type,
                                                       loop::variable(j_), size)));
    }
    for (const Work& work : products_) {
      sums_.push_back(code_.value_name(work.result));
      Stmt sums = loop::simple(Stmt::Kind::variable);
      sums.name = sums_.back();
      sums.type = loop::vec_type;
      sums.count = loop::variable("rows");
      code_.add(std::move(sums));
    }
    code_.open_loop(k_, loop::integer(0), size);
    code_.open_loop(r_, loop::integer(0), loop::variable("rows"));
    ExprRef x = loop::cast(loop::vec_type, operand_at(r, k));
    if (products_.size() > 1) {
      const std::string name = code_.loop_name({"x", "number"});
      code_.add(loop::let(name, x));
      x = loop::variable(name, loop::vec_type);
    }
    for (std::size_t p = 0; p < products_.size(); p++) {
      const ExprRef panel =
          loop::load(panels[p], loop::vec_type, loop::mul(k, loop::constant("lanes", 0)));
      Stmt step = loop::assign(sums_[p], "+", loop::binary("*", loop::vec_type, panel, x));
      step.index = r;
      code_.add(std::move(step));
    }
    code_.close_loop();
    code_.close_loop();
  }

  // The sums as rows of their results, and what is made of them.
  void add_epilogue() {
    const ExprRef r = loop::variable(r_);
    code_.open_loop(r_, loop::integer(0), loop::variable("rows"));
    const std::string at = code_.loop_name({"at", "place"});
    code_.add(loop::let(at, loop::add(loop::variable(n_), r)));
    Env env;
    env.domain = group_.domain;
    env.element = loop::variable(at);
    env.axes = {loop::variable(j_)};
    for (std::size_t p = 0; p < products_.size(); p++) {
      const ExprRef sum = loop::item(sums_[p], loop::float_type, r);
      code_.locals[products_[p].result] = sum;
      if (products_[p].stored)
        code_.add(code_.store_to(products_[p], env.element, env.axes, sum, env));
    }
    add_values(code_, env, epilogue_);
    code_.close_loop();
  }

  // Makes the rows' loop, the last of the tile's, one of vectors.
  void finish_lanes(loop::Function& function, std::int64_t end, const std::string& dim) {
    for (Stmt& s : function.body) {
      if (s.kind != Stmt::Kind::loop || s.name != j_) continue;
      const ExprRef extent = context_.shared.extent(end, dim);
      const std::string named =
          extent->kind == loop::Expr::Kind::constant ? extent->name : std::string();
      auto lanes = loop::lanes_of(context_.shared.module, function.body, {j_, end, named},
                                  s.body.back().body);
      require(lanes.has_value(), "an epilogue that has no form for vectors");
      s.body.back().body = std::move(lanes->body);
      s.step = loop::constant("lanes", 0);
      s.loop = Stmt::Loop::vector;
    }
  }

  Context& context_;
  const Group& group_;
  Code code_;
  std::vector<Work> products_, epilogue_;
  std::string n_, r_, j_, k_;
  ExprRef rows_;                   // pointer to the operand's first row, or
  std::string array_;              // .. array of pointers to its rows
  std::vector<std::string> sums_;  // of each product: local array
};

// Rows of a tile of so many products, by what the sums take of the vector registers.
ExprRef tile_rows(Context& context, std::size_t products) {
  const std::string wanted = products == 1 ? "tile_rows" : fmt::format("tile_rows_{}", products);
  auto& name = context.shared.constant_names[wanted];
  if (name.empty()) {
    const int few = few_rows[products], many = many_rows[products];
    name = context.shared.names.unique(wanted);
    context.shared.module.named.push_back(
        {name,
         few == many ? std::to_string(few)
                     : fmt::format("espalier::vector_registers == 32 ? {} : {}", many, few),
         products == 1 ? "rows of a tile, whose sums stay in registers"
                       : fmt::format("tile of {} products", products)});
  }
  return loop::constant(name, 0);
}

}  // namespace

Made make_tile(Context& context, const Group& group, bool level) {
  const std::string name = values_name(context, group) + class_suffix(context, group);
  Tile tile(context, group, level);
  const int made = tile.make(name + "_tile", "For `rows` rows from " + tile.first() + " on:\n" +
                                                 equations(context, group));
  const auto products = static_cast<std::size_t>(
      std::count_if(group.works.begin(), group.works.end(),
                    [](const Work& work) { return work.kind == Work::Kind::product; }));
  const ExprRef rows = tile_rows(context, products);
  loop::Function function;
  function.name = "compute_" + name;
  function.lines = lines(context, group);
  function.costs = costs(context, group);
  const ExprRef begin = loop::variable("begin"), end = loop::variable("end");
  const ExprRef whole = loop::variable("whole"), at = loop::variable(tile.first());
  function.body.push_back(loop::let(
      "whole",
      loop::add(begin,
                loop::mul(loop::binary("/", loop::int_type, loop::sub(end, begin), rows), rows))));
  Stmt tiles = loop::for_loop(tile.first(), begin, whole,
                              {call_of(context, made, {{tile.first(), at}}, rows->name)});
  tiles.step = rows;
  function.body.push_back(std::move(tiles));
  Stmt rest = loop::simple(Stmt::Kind::choose);
  rest.value = loop::sub(end, whole);
  for (int r = many_rows[products] - 1; r > 0; r--)
    rest.body.push_back(call_of(context, made, {{tile.first(), whole}}, std::to_string(r)));
  function.body.push_back(std::move(rest));
  return {finish_function(context, std::move(function)), false};
}

}  // namespace espalier::to_loop
