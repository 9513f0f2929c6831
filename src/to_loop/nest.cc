#include "to_loop/nest.h"

#include <algorithm>
#include <limits>

#include "base/bug.h"

namespace espalier::to_loop {

using loop::Type;
using wave::Reduce;
using wave::Scalar;
using wave::Value;

namespace {

const std::vector<std::int64_t>& shape_of(const Context& context, const Work& work) {
  return context.entry.value(work.result != wave::none ? work.result : work.carry).shape;
}

// Reads of `value` in the work: none, only at the element and axes at hand, or elsewhere too.
enum class Reads : std::uint8_t { none, here, elsewhere };

Reads reads_of(const Work& work, Id value) {
  Reads reads = Reads::none;
  wave::visit(work.body, [&](const Scalar& s) {
    if (s.kind != Scalar::Kind::load || s.value != value) return;
    bool here = !s.args[0] || s.args[0]->kind == Scalar::Kind::element;
    for (std::size_t i = 1; i < s.args.size(); i++)
      here = here && s.args[i]->kind == Scalar::Kind::axis &&
             s.args[i]->which == static_cast<int>(i) - 1;
    if (!here) reads = Reads::elsewhere;
    if (here && reads == Reads::none) reads = Reads::here;
  });
  return reads;
}

class Nest {
 public:
  Nest(Code& code, Env env) : code_(code), env_(std::move(env)) {}

  struct Piece {
    const Work* work;
    ScalarRef body;
  };

  void add(std::vector<Piece> pieces, const std::vector<std::int64_t>& shape, int depth) {
    const ScalarRef condition =
        depth < 3 && worth_branching(pieces, shape) ? find(pieces) : nullptr;
    if (condition) {
      branch(pieces, shape, condition, depth);
    } else {
      axes(pieces, shape, 0);
    }
  }

  // The work's value at the element and axes at hand.
  void value(const Piece& piece) {
    const Work& work = *piece.work;
    const Id target = work.result != wave::none ? work.result : work.carry;
    ExprRef made = work.reduce == Reduce::map ? code_.scalar(piece.body, env_) : reduce(piece);
    const Type type{computed(code_.context.entry.value(target).dtype)};
    made = loop::cast(type, made);
    if (work.local && made->kind != loop::Expr::Kind::variable) {
      const std::string name = code_.variable_name(target);
      code_.add(loop::let(name, made));
      made = loop::variable(name, type);
    }
    if (work.local) code_.locals[work.result] = made;
    if (work.stored) code_.add(code_.store_to(work, env_.element, env_.axes, made, env_));
  }

 private:
  bool worth_branching(const std::vector<Piece>& pieces,
                       const std::vector<std::int64_t>& shape) const {
    if (!shape.empty()) return true;
    return pieces.size() == 1 && !pieces[0].work->local && pieces[0].work->reduce != Reduce::map;
  }

  static ScalarRef find(const std::vector<Piece>& pieces) {
    for (const Piece& piece : pieces)
      if (const ScalarRef found = uniform_condition(piece.body)) return found;
    return nullptr;
  }

  void branch(const std::vector<Piece>& pieces, const std::vector<std::int64_t>& shape,
              const ScalarRef& condition, int depth) {
    Stmt made = loop::simple(Stmt::Kind::branch);
    made.value = code_.scalar(condition, env_);
    const auto locals = code_.locals;
    for (const bool holds : {true, false}) {
      std::vector<Piece> inner = pieces;
      for (Piece& piece : inner) piece.body = assuming(piece.body, condition, holds);
      code_.open_branch();
      add(inner, shape, depth + 1);
      (holds ? made.body : made.other) = code_.close();
      code_.locals = locals;
    }
    code_.add(std::move(made));
  }

  void axes(const std::vector<Piece>& pieces, const std::vector<std::int64_t>& shape,
            std::size_t k) {
    if (k == shape.size()) {
      for (const Piece& piece : pieces) value(piece);
      return;
    }
    segment(pieces, shape, k, 0, shape[k]);
  }

  void segment(const std::vector<Piece>& pieces, const std::vector<std::int64_t>& shape,
               std::size_t k, std::int64_t begin, std::int64_t end) {
    for (const Piece& piece : pieces) {
      const std::int64_t cut = split_point(piece.body, static_cast<int>(k), begin, end);
      if (cut < 0) continue;
      const auto locals = code_.locals;
      segment(pieces, shape, k, begin, cut);
      code_.locals = locals;
      segment(pieces, shape, k, cut, end);
      return;
    }
    std::vector<Piece> inner = pieces;
    for (Piece& piece : inner) piece.body = within(piece.body, static_cast<int>(k), begin, end);
    if (end - begin == 1) {
      env_.axes.push_back(loop::integer(begin));
      axes(inner, shape, k + 1);
    } else {
      const bool last = k + 1 == shape.size();
      const std::string name = last ? code_.loop_name({"j", "i", "column"})
                                    : code_.loop_name({"i", "p", "q", "row_index"});
      const Work& work = *pieces[0].work;
      const Id named = work.result != wave::none ? work.result : work.carry;
      const ExprRef first = begin == 0 ? loop::integer(0) : bound(pieces, k, 0, begin);
      code_.open_loop(name, first,
                      end == shape[k] ? code_.extent(named, k) : bound(pieces, k, begin, end));
      env_.axes.push_back(loop::variable(name));
      const auto starts = code_.starts;
      if (begin > 0) code_.starts[begin] = first;
      axes(inner, shape, k + 1);
      code_.starts = starts;
      code_.close_loop();
    }
    env_.axes.pop_back();
  }

  // The end of the part of an axis from `begin` on: the dim of what stands there, if it begins at
  // 0.
  ExprRef bound(const std::vector<Piece>& pieces, std::size_t k, std::int64_t begin,
                std::int64_t end) {
    const Context& context = code_.context;
    std::string dim;
    for (const Piece& piece : pieces)
      wave::visit(piece.body, [&](const Scalar& s) {
        for (std::size_t i = 1; s.kind == Scalar::Kind::load && i < s.args.size(); i++) {
          const bool along = wave::equal(s.args[i], wave::axis(static_cast<int>(k)));
          if (along && context.entry.value(s.value).shape[i - 1] == end)
            dim = code_.context.dim(s.value, i - 1);
        }
      });
    return begin == 0 ? context.shared.extent(end, dim) : loop::integer(end);
  }

  ExprRef reduce(const Piece& piece) {
    const Work& work = *piece.work;
    if (work.reduce == Reduce::argmax || work.reduce == Reduce::argmin) return position(piece);
    const Value& v = code_.context.entry.value(work.result);
    const Type type{computed(v.dtype)};
    const std::string name = code_.variable_name(work.result);
    code_.add(loop::variable_of(name, type, start(work.reduce, type.dtype)));
    Env inner = env_;
    std::vector<std::string> loops = open_loops(work, &inner);
    const ExprRef x = loop::cast(type, code_.scalar(piece.body, inner));
    accumulate(work.reduce, name, type, x);
    for (std::size_t i = 0; i < loops.size(); i++) code_.close_loop();
    return loop::variable(name, type);
  }

  void accumulate(Reduce kind, const std::string& name, Type type, const ExprRef& x) {
    const ExprRef so_far = loop::variable(name, type);
    const bool real = is_float(type.dtype);
    switch (kind) {
      case Reduce::sum:
        if (real)
          code_.add(loop::assign(name, "+", x));
        else
          code_.add(loop::assign(name, "", loop::call("wrap_add", type, {so_far, x})));
        return;
      case Reduce::prod:
        if (real)
          code_.add(loop::assign(name, "*", x));
        else
          code_.add(loop::assign(name, "", loop::call("wrap_mul", type, {so_far, x})));
        return;
      case Reduce::max:
        code_.add(loop::assign(name, "", loop::call("maximum", type, {so_far, x})));
        return;
      case Reduce::min:
        code_.add(loop::assign(name, "", loop::call("minimum", type, {so_far, x})));
        return;
      default: throw Bug("not an accumulation");
    }
  }

  static ExprRef start(Reduce kind, Dtype dtype) {
    const bool least = kind == Reduce::max;
    if (kind == Reduce::sum || kind == Reduce::prod) {
      const int value = kind == Reduce::prod ? 1 : 0;
      return is_float(dtype) ? loop::number(value, dtype) : loop::integer(value, {dtype});
    }
    if (is_float(dtype)) {
      const double infinity = std::numeric_limits<double>::infinity();
      return loop::number(least ? -infinity : infinity, dtype);
    }
    switch (dtype) {
      case Dtype::i8: return loop::integer(least ? -128 : 127, {dtype});
      case Dtype::i32:
        return loop::integer(least ? std::numeric_limits<std::int32_t>::min()
                                   : std::numeric_limits<std::int32_t>::max(),
                             {dtype});
      case Dtype::i64:
        return loop::integer(least ? std::numeric_limits<std::int64_t>::min()
                                   : std::numeric_limits<std::int64_t>::max(),
                             {dtype});
      default: return loop::integer(least ? 0 : 1, {dtype});
    }
  }

  // argmax and argmin: the first flat position over the list and the axes.
  ExprRef position(const Piece& piece) {
    const Work& work = *piece.work;
    const Value& v = code_.context.entry.value(work.result);
    const Type type{computed(v.dtype)}, of{computed(piece.body->dtype)};
    const std::string at = code_.variable_name(work.result), best = code_.name(v.name + "_best");
    code_.add(loop::variable_of(at, type, loop::integer(-1, type)));
    code_.add(loop::variable_of(
        best, of, is_float(of.dtype) ? loop::number(0, of.dtype) : loop::integer(0, of)));
    Env inner = env_;
    std::vector<std::string> loops = open_loops(work, &inner);
    const ExprRef x = loop::cast(of, code_.scalar(piece.body, inner));
    ExprRef flat = loop::integer(0);
    if (work.list != wave::none)
      flat = loop::sub(inner.item, code_.first_of(work.list, env_.element));
    for (std::size_t i = 0; i < work.axes.size(); i++)
      flat = loop::add(loop::mul(flat, loop::integer(work.axes[i])), inner.bounds[i]);
    Stmt better = loop::simple(Stmt::Kind::branch);
    const char* test = work.reduce == Reduce::argmax ? "exceeds" : "falls_below";
    const std::string name = code_.name("candidate");
    code_.add(loop::let(name, x));
    const ExprRef candidate = loop::variable(name, of);
    better.value =
        loop::binary("||", loop::bool_type,
                     loop::binary("<", loop::bool_type, loop::variable(at, type), loop::integer(0)),
                     loop::call(test, loop::bool_type, {candidate, loop::variable(best, of)}));
    better.body.push_back(loop::assign(best, "", candidate));
    better.body.push_back(loop::assign(at, "", loop::cast(type, flat)));
    code_.add(std::move(better));
    for (std::size_t i = 0; i < loops.size(); i++) code_.close_loop();
    return loop::variable(at, type);
  }

  std::vector<std::string> open_loops(const Work& work, Env* inner) {
    std::vector<std::string> names;
    if (work.list != wave::none) {
      const std::string e = code_.loop_name({"e", "edge", "at"});
      inner->list = work.list;
      code_.open_loop(e, code_.first_of(work.list, env_.element),
                      code_.end_of(work.list, env_.element));
      inner->item = loop::variable(e);
      names.push_back(e);
    }
    for (std::size_t i = 0; i < work.axes.size(); i++) {
      const std::string k = code_.loop_name({"k", "l", "r", "s", "t", "bound"});
      code_.open_loop(
          k, loop::integer(0),
          code_.context.shared.extent(
              work.axes[i], code_.context.bound_dim(work.body, static_cast<int>(i), work.axes[i])));
      inner->bounds.push_back(loop::variable(k));
      names.push_back(k);
    }
    return names;
  }

  Code& code_;
  Env env_;
};

}  // namespace

std::vector<std::vector<std::size_t>> nests_of(const Context& context,
                                               const std::vector<Work>& works) {
  std::vector<std::vector<std::size_t>> nests;
  for (std::size_t w = 0; w < works.size(); w++) {
    std::size_t earliest = 0;
    for (std::size_t n = 0; n < nests.size(); n++)
      for (const std::size_t other : nests[n]) {
        const bool same = shape_of(context, works[other]) == shape_of(context, works[w]);
        const Reads reads = works[other].result == wave::none
                                ? Reads::none
                                : reads_of(works[w], works[other].result);
        if (reads != Reads::none)
          earliest = std::max(earliest, same && reads == Reads::here ? n : n + 1);
      }
    std::size_t at = nests.size();
    for (std::size_t n = earliest; n < nests.size(); n++)
      if (shape_of(context, works[nests[n][0]]) == shape_of(context, works[w])) at = n;
    if (!context.shared.options.fuse || at == nests.size()) {
      at = nests.size();
      nests.emplace_back();
    }
    nests[at].push_back(w);
  }
  return nests;
}

void add_values(Code& code, const Env& env, const std::vector<Work>& works) {
  Nest nest(code, env);
  for (const Work& work : works) nest.value({&work, work.body});
}

void add_nests(Code& code, const Env& env, const std::vector<Work>& works) {
  for (const Work& work : works)  // variables have the plain names
    if (work.result != wave::none && (work.local || work.reduce != Reduce::map))
      code.value_name(work.result);
  for (const auto& nest : nests_of(code.context, works)) {
    std::vector<Nest::Piece> pieces;
    for (const std::size_t w : nest) pieces.push_back({&works[w], works[w].body});
    const auto& shape = shape_of(code.context, works[nest[0]]);
    const auto locals = code.locals;
    Nest(code, env).add(std::move(pieces), shape, 0);
    if (!shape.empty()) code.locals = locals;
  }
}

}  // namespace espalier::to_loop
