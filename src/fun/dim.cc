#include "fun/dim.h"

#include <algorithm>

namespace espalier::fun {

struct Dim::Quotient {
  Dim over, under;
};

namespace {

// A product of sums with more terms than this is not multiplied out.
constexpr std::size_t most_terms = 256;

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  const std::int64_t q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

bool divisible(std::int64_t a, std::int64_t b) { return b == -1 || a % b == 0; }

}  // namespace

std::string Dim::Atom::key() const {
  if (!quotient) return name;
  const auto operand = [](const Dim& dim) {
    const bool plain =
        dim.terms_.empty() || (dim.terms_.size() == 1 && dim.str().find(' ') == std::string::npos);
    return plain ? dim.str() : '(' + dim.str() + ')';
  };
  return operand(quotient->over) + " // " + operand(quotient->under);
}

std::string Dim::key(const Monomial& factors) {
  std::string text;
  for (const Atom& atom : factors) {
    if (!text.empty()) text += " * ";
    text += atom.quotient ? '(' + atom.key() + ')' : atom.key();
  }
  return text;
}

std::string Dim::str(const Term& term) {
  const std::int64_t c = term.coefficient;
  const std::string size = std::to_string(c).substr(c < 0 ? 1 : 0);
  if (term.factors.empty()) return size;
  if (size != "1") return size + " * " + key(term.factors);
  return term.factors.size() == 1 ? term.factors[0].key() : key(term.factors);
}

Dim::Dim(std::int64_t value) {
  add({}, value);
  finish();
}

Dim Dim::named(std::string name, std::optional<std::int64_t> value) {
  Dim dim;
  Atom atom;
  atom.name = std::move(name);
  atom.value = value;
  dim.add({atom}, 1);
  dim.finish();
  return dim;
}

void Dim::add(const Monomial& factors, std::int64_t coefficient) {
  if (coefficient == 0) return;
  const auto [it, fresh] = terms_.try_emplace(key(factors), Term{factors, 0});
  std::int64_t& sum = it->second.coefficient;
  if (__builtin_add_overflow(sum, coefficient, &sum)) overflowed_ = true;
  if (sum == 0) terms_.erase(it);
}

void Dim::finish() {
  value_.reset();
  std::int64_t total = 0;
  for (const auto& [text, term] : terms_) {
    std::int64_t product = term.coefficient;
    for (const Atom& atom : term.factors) {
      std::optional<std::int64_t> value = atom.value;
      if (atom.quotient && atom.quotient->over.bound() && atom.quotient->under.bound())
        value = floor_divide(atom.quotient->over.value(), atom.quotient->under.value());
      if (!value && !overflowed_) return;
      if (__builtin_mul_overflow(product, value.value_or(0), &product)) overflowed_ = true;
    }
    if (__builtin_add_overflow(total, product, &total)) overflowed_ = true;
  }
  if (overflowed_) terms_.clear();
  value_ = overflowed_ ? 0 : total;
}

std::string Dim::str() const {
  std::vector<const Term*> order;
  for (const auto& [text, term] : terms_) order.push_back(&term);
  const auto rank = [](const Term* term) {  // positive ones first, the constant last
    return std::pair{term->coefficient < 0, -static_cast<int>(term->factors.size())};
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](const Term* a, const Term* b) { return rank(a) < rank(b); });
  if (order.empty()) return "0";
  std::string text;
  for (const Term* term : order) {
    if (term->coefficient < 0)
      text += text.empty() ? "0 - " : " - ";
    else if (!text.empty())
      text += " + ";
    text += str(*term);
  }
  return text;
}

bool Dim::is_literal() const {
  return terms_.empty() || (terms_.size() == 1 && terms_.begin()->second.factors.empty());
}

void Dim::collect_unbound(std::vector<std::string>* names) const {
  for (const auto& [text, term] : terms_) {
    for (const Atom& atom : term.factors) {
      if (atom.quotient) {
        atom.quotient->over.collect_unbound(names);
        atom.quotient->under.collect_unbound(names);
      } else if (!atom.value) {
        names->push_back(atom.name);
      }
    }
  }
}

std::vector<std::string> Dim::unbound_names() const {
  std::vector<std::string> names;
  collect_unbound(&names);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

bool Dim::has_name(const std::string& name) const {
  for (const auto& [text, term] : terms_) {
    for (const Atom& atom : term.factors) {
      if (!atom.quotient && atom.name == name) return true;
      if (atom.quotient &&
          (atom.quotient->over.has_name(name) || atom.quotient->under.has_name(name)))
        return true;
    }
  }
  return false;
}

Dim Dim::substitute(const std::map<std::string, Dim>& names, bool bound_names_too) const {
  Dim sum;
  if (overflowed_) return *this;
  for (const auto& [text, term] : terms_) {
    Dim product = term.coefficient;
    for (const Atom& atom : term.factors) {
      Dim factor;
      const auto found = names.find(atom.name);
      if (atom.quotient)
        factor = floor_div(atom.quotient->over.substitute(names, bound_names_too),
                           atom.quotient->under.substitute(names, bound_names_too));
      else if (found != names.end())
        factor = found->second;
      else
        factor = bound_names_too && atom.value ? Dim(*atom.value) : named(atom.name, atom.value);
      product = product * factor;
    }
    sum = sum + product;
  }
  return sum;
}

Dim Dim::bind(const std::map<std::string, Dim>& names) const { return substitute(names, false); }

std::optional<Dim> Dim::solve(const std::string& name, const Dim& total) const {
  Dim slope, rest;
  for (const auto& [text, term] : terms_) {
    Monomial others;
    int degree = 0;
    for (const Atom& atom : term.factors) {
      const bool inside = atom.quotient && (atom.quotient->over.has_name(name) ||
                                            atom.quotient->under.has_name(name));
      if (inside) return {};
      if (!atom.quotient && atom.name == name)
        ++degree;
      else
        others.push_back(atom);
    }
    if (degree > 1) return {};
    (degree == 1 ? slope : rest).add(others, term.coefficient);
  }
  slope.finish();
  rest.finish();
  if (slope.bound() && slope.value() == 0) return {};
  const Dim difference = total - rest;
  if (slope.overflowed_ || rest.overflowed_ || difference.overflowed_) return {};
  if (!difference.bound() || !slope.bound()) return divide(difference, slope);
  if (!divisible(difference.value(), slope.value())) return {};
  const Dim solution = floor_div(difference, slope);
  if (solution.overflowed_ || solution.value() < 0) return {};
  return solution;
}

Dim operator+(const Dim& a, const Dim& b) {
  Dim sum = a;
  for (const auto& [text, term] : b.terms_) sum.add(term.factors, term.coefficient);
  sum.overflowed_ = sum.overflowed_ || b.overflowed_;
  sum.finish();
  return sum;
}

Dim operator-(const Dim& a, const Dim& b) { return a + Dim(-1) * b; }

Dim operator*(const Dim& a, const Dim& b) {
  Dim product;
  product.overflowed_ = a.overflowed_ || b.overflowed_;
  if (a.terms_.size() * b.terms_.size() > most_terms) {
    if (a.bound() && b.bound()) return Dim(a.value()) * Dim(b.value());
    product.overflowed_ = true;
  }
  if (!product.overflowed_) {
    for (const auto& [text, left] : a.terms_) {
      for (const auto& [other, right] : b.terms_) {
        Dim::Monomial factors = left.factors;
        factors.insert(factors.end(), right.factors.begin(), right.factors.end());
        std::stable_sort(factors.begin(), factors.end(),
                         [](const auto& x, const auto& y) { return x.key() < y.key(); });
        std::int64_t coefficient = 0;
        if (__builtin_mul_overflow(left.coefficient, right.coefficient, &coefficient))
          product.overflowed_ = true;
        product.add(factors, coefficient);
      }
    }
  }
  product.finish();
  return product;
}

std::optional<Dim> Dim::divide(const Dim& over, const Dim& under) {
  if (under.terms_.size() != 1) return {};
  const Term& divisor = under.terms_.begin()->second;
  Dim quotient;
  for (const auto& [text, term] : over.terms_) {
    if (!divisible(term.coefficient, divisor.coefficient)) return {};
    Monomial factors = term.factors;
    for (const Atom& atom : divisor.factors) {
      const auto found = std::find_if(factors.begin(), factors.end(),
                                      [&](const Atom& other) { return other.key() == atom.key(); });
      if (found == factors.end()) return {};
      factors.erase(found);
    }
    if (divisor.coefficient == -1 && term.coefficient == INT64_MIN) return {};
    quotient.add(factors, term.coefficient / divisor.coefficient);
  }
  quotient.finish();
  return quotient;
}

Dim floor_div(const Dim& over, const Dim& under) {
  Dim quotient;
  quotient.overflowed_ =
      over.overflowed_ || under.overflowed_ || (under.bound() && under.value() == 0);
  if (under.bound() && under.value() == -1 && over.bound() && over.value() == INT64_MIN)
    quotient.overflowed_ = true;
  if (!quotient.overflowed_) {
    if (const std::optional<Dim> exact = Dim::divide(over, under)) return *exact;
    if (over.is_literal() && under.is_literal())
      return Dim(floor_divide(over.value(), under.value()));
    Dim::Atom atom;
    atom.quotient = std::make_shared<Dim::Quotient>(Dim::Quotient{over, under});
    quotient.add({atom}, 1);
  }
  quotient.finish();
  return quotient;
}

bool operator==(const Dim& a, const Dim& b) {
  if (a.overflowed_ || b.overflowed_) return a.overflowed_ && b.overflowed_;
  if (a.bound() && b.bound()) return a.value() == b.value();
  if (a.bound() != b.bound()) return false;
  const Dim x = a.substitute({}, true), y = b.substitute({}, true);
  return std::equal(x.terms_.begin(), x.terms_.end(), y.terms_.begin(), y.terms_.end(),
                    [](const auto& s, const auto& t) {
                      return s.first == t.first && s.second.coefficient == t.second.coefficient;
                    });
}

}  // namespace espalier::fun
