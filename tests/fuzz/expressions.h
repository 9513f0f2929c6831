// Random well-typed expressions, as text.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/fuzz/random.h"

namespace espalier::fuzz {

using Shape = std::vector<int>;

// Something that an expression can name. A real that is `exact` is a small multiple of 1/8, so that
// float and double agree on it; only such numbers are compared, rounded or cast to integers.
struct Var {
  enum class Kind : unsigned char { real, exact, integer, index, boolean };
  std::string text;
  Kind kind = Kind::real;
  Shape shape;    // real, exact
  int bound = 0;  // index
};

// A list in scope: each item gives the variables `item`, whose texts begin with `$`, the name that
// a comprehension gives to the item; or, where `pattern` says so, are names bound by it.
struct ListVar {
  std::string text;
  std::vector<Var> item;
  std::string pattern = "$";
  bool filled = false;  // known not to be empty
};

struct Scope {
  std::vector<Var> vars;
  std::vector<ListVar> lists;
  std::vector<std::string>* statements = nullptr;  // where new ones may be put; null: nowhere
};

// What all expressions of a model share.
struct Globals {
  std::string real = "f32";                      // the dtype of reals
  std::vector<int> dims;                         // sizes to choose from
  std::map<std::string, std::string> params;     // name -> type
  std::map<std::string, Shape> param_shapes;     // reals
  std::map<std::string, std::string> constants;  // name -> JSON
  std::map<std::string, int> used;               // rows of the tables, over all models
  int names = 0;
};

// Reals stay within about [-5, 5], and small changes of operands change results little.
class Expressions {
 public:
  Expressions(Random* random, Globals* globals) : random_(*random), globals_(*globals) {}

  std::string real(const Scope&, const Shape&, int depth);
  std::string exact(const Scope&, const Shape&, int depth);
  // An exact real between the multiples of 1/8: no comparison with such, no rounding, is a tie.
  std::string between(const Scope&, const Shape&);
  std::string integer(const Scope&, int depth);  // i64
  std::string boolean(const Scope&, const Shape&, int depth);
  std::string index(const Scope&, int bound);

  // `$r`: real, `$e`: exact, `$t`: between, `$b`: boolean, all of the shape; `$s`: a real scalar,
  // `$c`: a boolean scalar, `$i`: an integer, `$k`: odd multiple of 1/16, `$F`: the dtype.
  std::string fill(const std::string& pattern, const Scope&, const Shape&, int depth);

  std::string param(const Shape&);
  std::string fresh(const std::string& stem) { return stem + std::to_string(++globals_.names); }
  std::string shape_text(const Shape&) const;  // "[3, 4]"
  std::string type(const Shape&) const;        // "f32[3, 4]"
  // The variables of an item of `list`, and the pattern that binds it.
  std::vector<Var> open(const ListVar& list, std::string* pattern);
  // Without statements; of an item of a list also without lists, as an item of one list cannot be
  // combined with all of another.
  static Scope with(const Scope&, const std::vector<Var>&, bool item = true);

  Random& random() { return random_; }
  Globals& globals() { return globals_; }

 private:
  using Maker = std::string (Expressions::*)(const Scope&, const Shape&, int);
  struct Row {
    const char* name;
    const char* pattern;
    Maker make;
  };
  std::string leaf(const Scope&, const Shape&);
  std::string choose(const std::vector<Row>&, const Scope&, const Shape&, int depth);
  std::string from_table(const Scope&, const Shape&, int depth, const Row&);
  int dim() { return random_.pick(globals_.dims); }

  // expression_rows.cc: each gives "" where it does not apply
  static const std::vector<Row>& anywhere();
  static const std::vector<Row>& scalars();
  static const std::vector<Row>& vectors();
  static const std::vector<Row>& matrices();
  std::string over_list(const Scope&, const Shape&, int);
  std::string softmax_list(const Scope&, const Shape&, int);
  std::string fold_list(const Scope&, const Shape&, int);
  std::string scan_list(const Scope&, const Shape&, int);
  std::string enumerate_list(const Scope&, const Shape&, int);
  std::string zip_lists(const Scope&, const Shape&, int);
  std::string literal_list(const Scope&, const Shape&, int);
  std::string bind_value(const Scope&, const Shape&, int);
  std::string local_function(const Scope&, const Shape&, int);
  std::string higher_order(const Scope&, const Shape&, int);
  std::string embedding(const Scope&, const Shape&, int);
  std::string matrix_vector(const Scope&, const Shape&, int);
  std::string vector_matrix(const Scope&, const Shape&, int);
  std::string linear(const Scope&, const Shape&, int);
  std::string concat_parts(const Scope&, const Shape&, int);
  std::string slice(const Scope&, const Shape&, int);
  std::string split_parts(const Scope&, const Shape&, int);
  std::string padded(const Scope&, const Shape&, int);
  std::string tiled(const Scope&, const Shape&, int);
  std::string one_hot_row(const Scope&, const Shape&, int);
  std::string reduced(const Scope&, const Shape&, int);
  std::string reshaped(const Scope&, const Shape&, int);
  std::string taken(const Scope&, const Shape&, int);
  std::string einsum(const Scope&, const Shape&, int);
  std::string normalized(const Scope&, const Shape&, int);
  std::string item_of_vector(const Scope&, const Shape&, int);
  std::string loss(const Scope&, const Shape&, int);
  std::string whole_reduction(const Scope&, const Shape&, int);
  std::string product_scalar(const Scope&, const Shape&, int);
  std::string stacked(const Scope&, const Shape&, int);
  std::string matrix_matrix(const Scope&, const Shape&, int);
  std::string outer_product(const Scope&, const Shape&, int);
  std::string rearranged(const Scope&, const Shape&, int);
  std::string broadcasted(const Scope&, const Shape&, int);

  Random& random_;
  Globals& globals_;
};

}  // namespace espalier::fuzz
