#include "to_wave/abstract.h"

namespace espalier::to_wave {

AbsRef tensor_abs(wave::Id domain, ops::Term term) {
  auto a = make_abs(Abs::Kind::tensor);
  a->domain = domain;
  a->term = std::move(term);
  return a;
}

AbsRef tuple_abs(std::vector<AbsRef> parts, std::vector<std::string> names) {
  auto a = make_abs(Abs::Kind::tuple);
  a->parts = std::move(parts);
  a->names = std::move(names);
  return a;
}

AbsRef scalar_abs(wave::Id domain, wave::ScalarRef s) {
  const Dtype dtype = s->dtype;
  return tensor_abs(domain, scalar_term(dtype, std::move(s)));
}

ops::Term scalar_term(Dtype dtype, wave::ScalarRef s) {
  return {dtype, {}, [s = std::move(s)](const std::vector<wave::ScalarRef>&) { return s; }};
}

wave::ScalarRef value_of(const ops::Term& t) { return t.at({}); }

ops::Term map_term(const ops::Term& t, std::function<wave::ScalarRef(const wave::ScalarRef&)> f) {
  return {t.dtype, t.shape, [at = t.at, f = std::move(f)](const std::vector<wave::ScalarRef>& i) {
            return f(at(i));
          }};
}

ops::Term at_element(const ops::Term& t, const wave::ScalarRef& to) {
  using wave::Scalar, wave::ScalarRef;
  return {t.dtype, t.shape, [t, to](const std::vector<ScalarRef>& indices) {
            bool elements = false;
            for (const ScalarRef& index : indices)
              wave::visit(index,
                          [&](const Scalar& x) { elements |= x.kind == Scalar::Kind::element; });
            std::vector<ScalarRef> axes = indices;
            for (std::size_t k = 0; k < t.shape.size() && elements; k++)
              axes[k] = wave::axis(static_cast<int>(k), t.shape[k]);
            const ScalarRef moved = wave::rewrite(t.at(axes), [&](const ScalarRef& x) {
              return x->kind == Scalar::Kind::element ? to : ScalarRef();
            });
            if (!elements) return moved;
            return wave::rewrite(moved, [&](const ScalarRef& x) {
              return x->kind == Scalar::Kind::axis ? indices.at(static_cast<std::size_t>(x->which))
                                                   : ScalarRef();
            });
          }};
}

}  // namespace espalier::to_wave
