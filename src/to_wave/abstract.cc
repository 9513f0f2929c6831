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

}  // namespace espalier::to_wave
