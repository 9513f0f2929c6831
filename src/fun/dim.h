// Axis lengths: integers that remember how they were written.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace espalier::fun {

// A normalized polynomial over named dims, with its value where every name in it is bound. Sums and
// products are multiplied out and sorted; a floor division that does not come out even is an atom
// of its own. Arithmetic beyond int64 leaves `overflowed`.
class Dim {
 public:
  Dim(std::int64_t value = 0);
  static Dim named(std::string name, std::optional<std::int64_t> value = {});

  bool bound() const { return value_.has_value(); }
  std::int64_t value() const { return *value_; }  // of a bound dim
  bool overflowed() const { return overflowed_; }
  std::string str() const;  // "3 * hidden + 1"
  bool is_literal() const;  // no name in it
  std::vector<std::string> unbound_names() const;

  // The same with names replaced; names that are not in the map stay.
  Dim bind(const std::map<std::string, Dim>&) const;
  // The value of the one unbound name (given) with which this equals `total`, if there is exactly
  // one non-negative integer solution and the dim is linear in it.
  std::optional<Dim> solve(const std::string& name, const Dim& total) const;

  friend Dim operator+(const Dim&, const Dim&);
  friend Dim operator-(const Dim&, const Dim&);
  friend Dim operator*(const Dim&, const Dim&);
  friend Dim floor_div(const Dim&, const Dim&);

  // Bound dims by value; the spelling does not count. Unbound ones by normal form.
  friend bool operator==(const Dim&, const Dim&);

 private:
  struct Quotient;  // {Dim over, under}
  struct Atom {
    std::string name;  // or
    std::shared_ptr<const Quotient> quotient;
    std::optional<std::int64_t> value;  // of a bound name
    std::string key() const;            // orders and compares
  };
  using Monomial = std::vector<Atom>;  // sorted by key; empty for the constant term
  struct Term {
    Monomial factors;
    std::int64_t coefficient;
  };
  static std::string key(const Monomial&);
  static std::string str(const Term&);  // without its sign
  void add(const Monomial&, std::int64_t coefficient);
  void finish();  // the value, where all names are bound
  bool has_name(const std::string&) const;
  // Exact division by a single term, if it comes out even.
  static std::optional<Dim> divide(const Dim&, const Dim&);
  Dim substitute(const std::map<std::string, Dim>&, bool bound_names_too) const;
  void collect_unbound(std::vector<std::string>*) const;

  std::map<std::string, Term> terms_;  // by the monomial's key
  std::optional<std::int64_t> value_;
  bool overflowed_ = false;
};

}  // namespace espalier::fun
