// The values of a wave entry while it is evaluated, and its scalar expressions.
#pragma once

#include <map>
#include <vector>

#include "eval/numbering.h"
#include "eval/outcome.h"
#include "ops/scalar_eval.h"
#include "wave/wave.h"

namespace espalier::eval {

struct Store {
  struct Tensor {
    std::int64_t row = 1;  // numbers of an element
    std::vector<double> real;
    std::vector<std::int64_t> integer;
  };
  const wave::Module* module = nullptr;
  const wave::Entry* entry = nullptr;
  const Numbering* numbering = nullptr;
  std::vector<Tensor> values;         // by Id
  std::map<wave::Id, bool> backward;  // lists that were stepped over
  bool bad_load = false;              // an index was out of range; it read as zero

  ops::Number get(wave::Id, std::int64_t flat) const;
  void put(wave::Id, std::int64_t flat, const ops::Number&);
};

// With all inputs filled in, and NaN (for integers, the least one) elsewhere.
Store make_store(const wave::Module&, const Weights&, const wave::Entry&, const ForestData&,
                 const CallsData&, const Numbering&);

// Where a scalar expression is evaluated.
struct Place {
  wave::Id domain;
  std::int64_t element;
  std::int64_t item;
  std::vector<std::int64_t> axes, bounds;
};

ops::Number evaluate(const wave::ScalarRef&, const Place&, Store&);

// A sum, product, maximum, .. in the making.
class Reduction {
 public:
  Reduction(wave::Reduce, Dtype);
  void add(const ops::Number&);
  ops::Number result() const;

 private:
  wave::Reduce reduce_;
  ops::Number state_;
  std::int64_t count_ = 0, best_ = 0;
  Dtype dtype_;
};

}  // namespace espalier::eval
