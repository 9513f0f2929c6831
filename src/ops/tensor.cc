#include "ops/tensor.h"

#include <algorithm>

#include "base/bug.h"
#include "ops/arrays.h"

namespace espalier::ops {

std::int64_t Tensor::size() const { return count(shape); }

Tensor zeros(Dtype dtype, std::vector<std::int64_t> shape) {
  Tensor made{dtype, std::move(shape), {}, {}};
  const auto size = static_cast<std::size_t>(made.size());
  if (made.real())
    made.f.assign(size, 0);
  else
    made.i.assign(size, 0);
  return made;
}

Tensor scalar(double value) { return {Dtype::f64, {}, {value}, {}}; }
Tensor integer(std::int64_t value, Dtype dtype) { return {dtype, {}, {}, {value}}; }

Tensor convert(const Tensor& from, Dtype dtype) {
  Tensor made = zeros(dtype, from.shape);
  for (std::int64_t k = 0; k < made.size(); ++k) put(made, k, convert(get(from, k), dtype));
  return made;
}

Tensor stack(const std::vector<Tensor>& rows, const Tensor& like) {
  Tensor made{like.dtype, {static_cast<std::int64_t>(rows.size())}, {}, {}};
  made.shape.insert(made.shape.end(), like.shape.begin(), like.shape.end());
  for (const Tensor& r : rows) {
    require(r.shape == like.shape && r.real() == like.real(), "stacking unequal tensors");
    made.f.insert(made.f.end(), r.f.begin(), r.f.end());
    made.i.insert(made.i.end(), r.i.begin(), r.i.end());
  }
  return made;
}

Tensor row(const Tensor& t, std::int64_t which) {
  require(!t.shape.empty() && which >= 0 && which < t.shape[0], "row out of range");
  Tensor made{t.dtype, {t.shape.begin() + 1, t.shape.end()}, {}, {}};
  const auto cut = [&](const auto& from, auto& to) {
    const auto begin = from.begin() + which * made.size();
    to.assign(begin, begin + made.size());
  };
  if (t.real())
    cut(t.f, made.f);
  else
    cut(t.i, made.i);
  return made;
}

std::int64_t count(const Extents& shape) {
  std::int64_t size = 1;
  for (const std::int64_t extent : shape) size *= extent;
  return size;
}

std::int64_t flatten(const Extents& index, const Extents& shape) {
  std::int64_t place = 0;
  for (std::size_t k = 0; k < shape.size(); ++k) place = place * shape[k] + index[k];
  return place;
}

Extents unflatten(std::int64_t place, const Extents& shape) {
  Extents index(shape.size());
  for (std::size_t k = shape.size(); k-- > 0; place /= shape[k]) index[k] = place % shape[k];
  return index;
}

void for_each_index(const Extents& shape, const std::function<void(const Extents&)>& visit) {
  Extents index(shape.size(), 0);
  for (std::int64_t left = count(shape); left > 0; --left) {
    visit(index);
    for (std::size_t k = shape.size(); k-- > 0;) {
      if (++index[k] < shape[k]) break;
      index[k] = 0;
    }
  }
}

Number get(const Tensor& t, std::int64_t place) {
  const auto k = static_cast<std::size_t>(place);
  return t.real() ? real(t.f[k], t.dtype) : whole(t.i[k], t.dtype);
}

Number at(const Tensor& t, const Extents& index) { return get(t, flatten(index, t.shape)); }

Number broadcast_at(const Tensor& t, const Extents& index) {
  std::int64_t place = 0;
  const std::size_t skipped = index.size() - t.shape.size();
  for (std::size_t k = 0; k < t.shape.size(); ++k)
    place = place * t.shape[k] + (t.shape[k] == 1 ? 0 : index[k + skipped]);
  return get(t, place);
}

void put(Tensor& t, std::int64_t place, Number value) {
  const auto k = static_cast<std::size_t>(place);
  if (t.real())
    t.f[k] = value.f;
  else
    t.i[k] = value.i;
}

Tensor tabulate(Dtype dtype, const Extents& shape,
                const std::function<Number(const Extents&)>& element) {
  Tensor made = zeros(dtype, shape);
  std::int64_t place = 0;
  for_each_index(shape, [&](const Extents& index) { put(made, place++, element(index)); });
  return made;
}

Extents broadcast_extents(const std::vector<Tensor>& tensors) {
  Extents shape;
  for (const Tensor& t : tensors) {
    if (t.shape.size() > shape.size())
      shape.insert(shape.begin(), t.shape.size() - shape.size(), 1);
    const std::size_t skipped = shape.size() - t.shape.size();
    for (std::size_t k = 0; k < t.shape.size(); ++k)
      if (t.shape[k] != 1) shape[k + skipped] = t.shape[k];
  }
  return shape;
}

}  // namespace espalier::ops
