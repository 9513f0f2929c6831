// A lowering that computes at once: values are tensors, and a term is evaluated index by index with
// a small interpreter of scalars.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "ops/arrays.h"
#include "ops/op.h"

namespace espalier::test {

class FakeLowering : public ops::Lowering {
 public:
  using Axes = std::vector<std::int64_t>;

  std::int64_t list_items = 0;      // what list_extent stands for
  std::vector<std::string> failed;  // codes of checks that failed
  std::vector<std::int64_t> details;

  ops::Term input(ops::Tensor tensor, bool list = false) {
    ops::Term made{tensor.dtype, tensor.shape, nullptr};
    if (list) made.shape[0] = ops::list_extent;
    values_.push_back(std::move(tensor));
    const auto id = static_cast<wave::Id>(values_.size() - 1);
    made.at = [id, dtype = made.dtype, rank = made.shape.size()](const Indices& index) {
      REQUIRE(index.size() == rank);
      return wave::load(id, dtype, nullptr, index);
    };
    return made;
  }

  ops::Tensor value(const ops::Term& term) {
    const wave::ScalarRef body = term.at(axes_of(extents(term.shape)));
    CHECK(body->dtype == term.dtype);
    return ops::tabulate(term.dtype, extents(term.shape),
                         [&](const Axes& index) { return evaluate(body, index, {}); });
  }

  ops::Term materialize(const ops::Term& term) override {
    return input(value(term), !term.shape.empty() && term.shape[0] == ops::list_extent);
  }

  ops::Term reduce(wave::Reduce how, Dtype dtype, Axes shape, Axes along,
                   const Body& body) override {
    const bool list = !shape.empty() && shape[0] == ops::list_extent;
    shape = extents(shape);
    along = extents(along);
    Indices reduced;
    for (std::size_t k = 0; k < along.size(); ++k)
      reduced.push_back(wave::bound(static_cast<int>(k), along[k]));
    const wave::ScalarRef scalar = body(axes_of(shape), reduced);
    return input(ops::tabulate(dtype, shape,
                               [&](const Axes& index) {
                                 std::vector<ops::Number> elements;
                                 ops::for_each_index(along, [&](const Axes& position) {
                                   elements.push_back(evaluate(scalar, index, position));
                                 });
                                 return combined(how, dtype, elements);
                               }),
                 list);
  }

  void check(const ops::Term& condition, const std::string& code,
             const ops::Term& detail) override {
    CHECK(condition.shape.empty());
    if (evaluate(condition.at({}), {}, {}).i != 0) return;
    failed.push_back(code);
    details.push_back(evaluate(detail.at({}), {}, {}).i);
  }

  wave::ScalarRef list_length() override { return wave::integer(list_items); }

 private:
  Axes extents(Axes shape) const {
    for (std::int64_t& extent : shape)
      if (extent == ops::list_extent) extent = list_items;
    return shape;
  }

  static Indices axes_of(const Axes& shape) {
    Indices made;
    for (std::size_t k = 0; k < shape.size(); ++k)
      made.push_back(wave::axis(static_cast<int>(k), shape[k]));
    return made;
  }

  static ops::Number combined(wave::Reduce how, Dtype dtype,
                              const std::vector<ops::Number>& elements) {
    const bool product = how == wave::Reduce::prod;
    if (how == wave::Reduce::sum || product) {
      ops::Number total{dtype, product ? 1.0 : 0.0, product ? 1 : 0};
      for (const ops::Number& element : elements) {
        const ops::Number pair[] = {total, element};
        total = ops::evaluate(product ? wave::Opcode::mul : wave::Opcode::add, dtype, pair);
      }
      return total;
    }
    const bool max = how == wave::Reduce::max || how == wave::Reduce::argmax;
    std::size_t best = 0;
    for (std::size_t k = 1; k < elements.size(); ++k)
      if (ops::wins(elements[k], elements[best], max)) best = k;
    if (how == wave::Reduce::max || how == wave::Reduce::min) return elements.at(best);
    return ops::whole(static_cast<std::int64_t>(best));
  }

  ops::Number evaluate(const wave::ScalarRef& s, const Axes& axes, const Axes& reduced) {
    const auto arg = [&](std::size_t k) { return evaluate(s->args[k], axes, reduced); };
    switch (s->kind) {
      case wave::Scalar::Kind::number: return {s->dtype, s->number, s->integer};
      case wave::Scalar::Kind::axis: return ops::whole(axes.at(static_cast<std::size_t>(s->which)));
      case wave::Scalar::Kind::bound:
        return ops::whole(reduced.at(static_cast<std::size_t>(s->which)));
      case wave::Scalar::Kind::load: {
        const ops::Tensor& from = values_.at(static_cast<std::size_t>(s->value));
        Axes index;
        for (std::size_t k = 1; k < s->args.size(); ++k) {
          index.push_back(arg(k).i);
          REQUIRE(index.back() >= 0);
          REQUIRE(index.back() < from.shape.at(k - 1));
        }
        return ops::at(from, index);
      }
      case wave::Scalar::Kind::apply: break;
      default: FAIL("an operator made a scalar that it cannot know of");
    }
    if (s->op == wave::Opcode::cast) return ops::convert(arg(0), s->dtype);
    if (s->op == wave::Opcode::select) return arg(arg(0).i != 0 ? 1 : 2);
    std::vector<ops::Number> args;
    for (std::size_t k = 0; k < s->args.size(); ++k) args.push_back(arg(k));
    return ops::evaluate(s->op, s->dtype, args);
  }

  std::vector<ops::Tensor> values_;
};

}  // namespace espalier::test
