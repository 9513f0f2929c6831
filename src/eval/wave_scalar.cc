#include "eval/wave_scalar.h"

#include <limits>

#include "base/bug.h"

namespace espalier::eval {
namespace {

using ops::Number;
using wave::Id;
using wave::Opcode;
using wave::Reduce;
using wave::Scalar;
using Kind = wave::Value::Kind;

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

constexpr std::int64_t unset = std::numeric_limits<std::int64_t>::min();

// Fills the inputs of a store.
class Filler {
 public:
  Filler(Store& store, const Weights& weights, const ForestData& data, const CallsData& calls)
      : store_(store), weights_(weights), data_(data), calls_(calls) {}

  void fill(Id id) {
    const wave::Value& value = store_.entry->value(id);
    switch (value.kind) {
      case Kind::parameter: return copy(id, weights_.at(value.source));
      case Kind::constant: return constant(id);
      case Kind::argument: return column(id, calls_.columns);
      case Kind::payload: return column(id, data_.columns);
      case Kind::root:
      case Kind::child:
      case Kind::place:
      case Kind::variant:
      case Kind::local:
      case Kind::slot:
      case Kind::parent_edge:
      case Kind::in_edge:
      case Kind::root_call: return index(id);
      case Kind::computed:
      case Kind::carry:
      case Kind::previous: return;
    }
  }

 private:
  const Numbering& numbering() const { return *store_.numbering; }

  void copy(Id id, const ops::Tensor& tensor) {
    Store::Tensor& to = store_.values[at(id)];
    to.real = tensor.f;
    to.integer = tensor.i;
  }

  void constant(Id id) {
    for (const Constant& c : store_.module->constants) {
      if (c.name != store_.entry->value(id).source) continue;
      for (std::size_t i = 0; i < c.values.size(); ++i)
        store_.put(id, static_cast<std::int64_t>(i), ops::convert(ops::real(c.values[i]), c.dtype));
    }
  }

  // The rows of a column of the input that belong to the value's elements.
  void column(Id id, const std::vector<Column>& columns) {
    const wave::Value& value = store_.entry->value(id);
    const Column& from = columns[at(leaf(id).column)];
    const auto& rows = numbering().elements(value.domain).row;
    const std::int64_t size = store_.values[at(id)].row;
    for (std::size_t e = 0; e < rows.size(); ++e)
      for (std::int64_t i = 0; i < size; ++i) {
        const std::size_t source = at(rows[e] * size + i);
        const Number number = is_float(value.dtype) ? ops::real(from.real[source], value.dtype)
                                                    : ops::whole(from.integer[source], value.dtype);
        store_.put(id, static_cast<std::int64_t>(e) * size + i, number);
      }
  }

  const Field& leaf(Id id) const {
    const wave::Value& value = store_.entry->value(id);
    if (value.field >= 0) return numbering().leaf(value.domain, value.field);
    for (const Field& field : store_.entry->arguments.columns)
      if (field.name == value.source) return field;
    throw Bug("an input without its field");
  }

  void index(Id id) {
    const wave::Value& value = store_.entry->value(id);
    const auto& elements = numbering().elements(value.domain);
    for (std::int64_t e = 0; e < elements.count; ++e)
      store_.put(id, e, ops::whole(index_at(id, e), value.dtype));
  }

  std::int64_t index_at(Id id, std::int64_t e) const {
    const wave::Value& value = store_.entry->value(id);
    const auto& elements = numbering().elements(value.domain);
    const auto source = [&](const std::vector<Column>& columns) {
      return columns[at(leaf(id).column)].integer[at(elements.row[at(e)])];
    };
    switch (value.kind) {
      case Kind::root: return numbering().place(source(calls_.columns));
      case Kind::child: return numbering().place(source(data_.columns));
      case Kind::place: return elements.node[at(e)];
      case Kind::variant: return data_.variant[at(numbering().original(e))];
      case Kind::local: return numbering().local(e);
      case Kind::slot: return numbering().edge(leaf(id).column, elements.row[at(e)]);
      case Kind::parent_edge: return numbering().parent_edge(e);
      case Kind::in_edge: return numbering().in_edge(e);
      case Kind::root_call: return root_call(id, numbering().original(e));
      default: throw Bug("no index function");
    }
  }

  std::int64_t root_call(Id id, std::int64_t node) const {
    const wave::Value& value = store_.entry->value(id);
    const auto& roots =
        calls_.columns[at(store_.entry->arguments.columns[at(value.field)].column)].integer;
    for (std::size_t c = 0; c < roots.size(); ++c)
      if (roots[c] == node) return static_cast<std::int64_t>(c);
    return -1;
  }

  Store& store_;
  const Weights& weights_;
  const ForestData& data_;
  const CallsData& calls_;
};

Number load(const Scalar& s, const Place& place, Store& store);

Number apply(const Scalar& s, const Place& place, Store& store) {
  if (s.op == Opcode::select)
    return evaluate(s.args[evaluate(s.args[0], place, store).i != 0 ? 1 : 2], place, store);
  std::vector<Number> args;
  for (const wave::ScalarRef& arg : s.args) args.push_back(evaluate(arg, place, store));
  if (s.op == Opcode::cast) return ops::convert(args[0], s.dtype);
  return ops::evaluate(s.op, s.dtype, args);
}

// A value that stands in `previous` is that of the item before, or the initial one.
Number load_previous(Id id, std::int64_t element, std::int64_t within, Store& store) {
  const wave::Value& value = store.entry->value(id);
  const auto& items = store.numbering->elements(value.domain);
  const std::int64_t owner = items.owner[at(element)], size = store.values[at(id)].row;
  const bool back = store.backward[value.domain];
  const bool edge =
      back ? element + 1 == items.first[at(owner + 1)] : element == items.first[at(owner)];
  if (!edge) return store.get(value.of, (element + (back ? 1 : -1)) * size + within);
  const Id initial = store.entry->value(value.initial).domain;
  const std::int64_t from = store.numbering->project(value.domain, element, initial);
  return store.get(value.initial, from * size + within);
}

Number load(const Scalar& s, const Place& place, Store& store) {
  const wave::Value& value = store.entry->value(s.value);
  const std::int64_t element = s.args[0] ? evaluate(s.args[0], place, store).i : 0;
  bool good = element >= 0 && element < store.numbering->elements(value.domain).count;
  std::int64_t flat = 0;
  for (std::size_t a = 0; a < value.shape.size(); ++a) {
    const std::int64_t i = evaluate(s.args[a + 1], place, store).i;
    good = good && i >= 0 && i < value.shape[a];
    if (good) flat = flat * value.shape[a] + i;
  }
  if (!good) {
    store.bad_load = true;
    return {s.dtype, 0, 0};
  }
  if (value.kind == Kind::previous) return load_previous(s.value, element, flat, store);
  return store.get(s.value, element * store.values[at(s.value)].row + flat);
}

}  // namespace

Number Store::get(Id id, std::int64_t flat) const {
  const Dtype dtype = entry->value(id).dtype;
  const Tensor& tensor = values[at(id)];
  if (is_float(dtype)) return ops::real(tensor.real[at(flat)], dtype);
  return ops::whole(tensor.integer[at(flat)], dtype);
}

void Store::put(Id id, std::int64_t flat, const Number& number) {
  if (is_float(entry->value(id).dtype))
    values[at(id)].real[at(flat)] = number.f;
  else
    values[at(id)].integer[at(flat)] = number.i;
}

Store make_store(const wave::Module& module, const Weights& weights, const wave::Entry& entry,
                 const ForestData& data, const CallsData& calls, const Numbering& numbering) {
  Store store;
  store.module = &module;
  store.entry = &entry;
  store.numbering = &numbering;
  Filler filler(store, weights, data, calls);
  for (const wave::Value& value : entry.values) {
    Store::Tensor tensor;
    for (const std::int64_t extent : value.shape) tensor.row *= extent;
    const std::size_t size = at(numbering.elements(value.domain).count * tensor.row);
    if (is_float(value.dtype))
      tensor.real.assign(size, std::numeric_limits<double>::quiet_NaN());
    else
      tensor.integer.assign(size, unset);
    store.values.push_back(std::move(tensor));
    filler.fill(static_cast<Id>(store.values.size() - 1));
  }
  return store;
}

Number evaluate(const wave::ScalarRef& ref, const Place& place, Store& store) {
  const Scalar& s = *ref;
  const auto list = [&]() -> const Numbering::Elements& {
    return store.numbering->elements(s.domain);
  };
  const auto argument = [&] { return evaluate(s.args[0], place, store).i; };
  switch (s.kind) {
    case Scalar::Kind::number:
      return is_float(s.dtype) ? ops::real(s.number, s.dtype) : ops::whole(s.integer, s.dtype);
    case Scalar::Kind::axis: return ops::whole(place.axes[at(s.which)]);
    case Scalar::Kind::bound: return ops::whole(place.bounds[at(s.which)]);
    case Scalar::Kind::element: return ops::whole(place.element);
    case Scalar::Kind::item: return ops::whole(place.item);
    case Scalar::Kind::owner: return ops::whole(list().owner.at(at(argument())));
    case Scalar::Kind::first: return ops::whole(list().first.at(at(argument())));
    case Scalar::Kind::end: return ops::whole(list().first.at(at(argument() + 1)));
    case Scalar::Kind::load: return load(s, place, store);
    case Scalar::Kind::apply: return apply(s, place, store);
  }
  throw Bug("no such scalar");
}

Reduction::Reduction(Reduce reduce, Dtype dtype) : reduce_(reduce), dtype_(dtype) {
  const double inf = std::numeric_limits<double>::infinity();
  const auto limits = [&](bool lowest) {
    if (is_float(dtype)) return ops::real(lowest ? -inf : inf, dtype);
    return ops::whole(lowest ? std::numeric_limits<std::int64_t>::min()
                             : std::numeric_limits<std::int64_t>::max(),
                      dtype);
  };
  switch (reduce) {
    case Reduce::map:
    case Reduce::sum:
    case Reduce::argmax:
    case Reduce::argmin: state_ = {dtype, 0, 0}; break;
    case Reduce::prod: state_ = {dtype, 1, 1}; break;
    case Reduce::max: state_ = limits(true); break;
    case Reduce::min: state_ = limits(false); break;
  }
}

void Reduction::add(const Number& x) {
  const std::int64_t position = count_++;
  switch (reduce_) {
    case Reduce::map: state_ = x; return;
    case Reduce::sum:
    case Reduce::prod: {
      const Number both[] = {state_, x};
      state_ = ops::evaluate(reduce_ == Reduce::sum ? Opcode::add : Opcode::mul, dtype_, both);
      return;
    }
    case Reduce::max:
    case Reduce::min:
    case Reduce::argmax:
    case Reduce::argmin: {
      const bool max = reduce_ == Reduce::max || reduce_ == Reduce::argmax;
      if (position > 0 && !ops::wins(x, state_, max)) return;
      state_ = x;
      best_ = position;
      return;
    }
  }
}

Number Reduction::result() const {
  if (reduce_ == Reduce::argmax || reduce_ == Reduce::argmin) return ops::whole(best_, dtype_);
  return state_;
}

}  // namespace espalier::eval
