// What is computed where: operators as works, works of one loop as groups.
#pragma once

#include "to_loop/context.h"

namespace espalier::to_loop {

// A product with weights: result[i] = sum over k of weights(i, k) * operand[k], row by row of a
// domain.
struct Product {
  ScalarRef weights;               // of axis(0) and the bounds
  std::vector<std::int64_t> over;  // extents of the bounds
  Id operand = wave::none;         // a value of one axis, as long as all bounds together
  ScalarRef element;               // where it is read; null: once, and then
  ScalarRef row;                   // .. which row of a table
  int panels = -1;                 // buffer
};

struct Work {
  enum class Kind : std::uint8_t { compute, product, steps, check };
  Kind kind = Kind::compute;
  Id domain = wave::none;
  Id result = wave::none;
  Id carry = wave::none;  // compute: a copy into this carry at (part, field), no value of its own
  int field = -1;
  wave::Reduce reduce = wave::Reduce::map;
  std::vector<std::int64_t> axes;
  Id list = wave::none;
  ScalarRef body, detail;  // compute, check
  std::string code;        // check
  Product product;
  const wave::Op* steps = nullptr;
  std::vector<Work> region;  // of steps
  bool local = false;        // used by other works of its loop, from a variable
  bool stored = false;       // has a row in a buffer
};

// Works whose elements are gone through in one loop (compute, check), or steps, or a tile: products
// of one operand, and what is made of their rows in registers.
struct Group {
  Id domain = wave::none;
  std::vector<Work> works;
  bool plain() const { return works[0].kind == Work::Kind::compute; }
  bool tiled() const { return works[0].kind == Work::Kind::product; }
};

// Works of one root domain between two barriers: a member does all of them for its elements.
struct Stage {
  Id root = wave::none;
  bool barrier = false;  // before it
  std::vector<Group> groups;
};

// Stages that need no barrier between them, or a sweep.
struct KernelPlan {
  bool sweep = false, down = false, load = false;
  std::string name;  // of a sweep: "sweep_up", or "sweep_up_total" where there are several
  std::vector<Stage> stages;
};

// What a sweep computes, in its carries' names: "h_c"; of one downwards, the functions that it
// calls.
std::string swept(const wave::Entry&, const wave::Op& sweep);

// Calls see(load, is it of the element itself) for every load that the work makes.
void visit_loads(const Context&, const Work&,
                 const std::function<void(const wave::Scalar&, bool local)>& see);

std::vector<KernelPlan> plan(Context&);

// plan.cc for works and stages, groups.cc for groups, product.cc:
bool match_product(Context&, Work&, std::vector<Work>& before);

// epilogue.cc. Whether `work` can be done, lane by lane, on the rows of products like `product`.
bool fits_tile(const Context&, const Work& product, const Work& work);
// Of a reduction over a list: what it makes of a product's row of each item becomes a work of the
// items, so that it can be done in the product's tile.
void split_items(Context&, Work& reduction, std::vector<Work>& works);
std::vector<Group> group_works(Context&, std::vector<Work> works);

}  // namespace espalier::to_loop
