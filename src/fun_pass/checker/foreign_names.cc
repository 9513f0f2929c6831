#include "fun_pass/checker/foreign_names.h"

#include <map>

namespace espalier::fun_pass {

std::string in_this_language(const std::string& name) {
  static const std::map<std::string, std::string> known = {
      // PyTorch, NumPy and JAX
      {"matmul", "a @ b"},
      {"mm", "a @ b"},
      {"bmm", "a @ b"},
      {"mv", "a @ b"},
      {"inner", "dot(a, b)"},
      {"vdot", "dot(a, b)"},
      {"tensordot", "einsum('ij,jk->ik', a, b)"},
      {"linear", "W @ x + b"},
      {"embedding", "E[i]"},
      {"gather", "take(x, indices)"},
      {"index_select", "take(x, indices)"},
      {"cat", "concat(a, b)"},
      {"concatenate", "concat(a, b)"},
      {"hstack", "concat(a, b, axis=1)"},
      {"vstack", "concat(a, b)"},
      {"chunk", "split(x, k)"},
      {"where", "select(c, a, b)"},
      {"view", "reshape(x, [n, m])"},
      {"flatten", "reshape(x, [n])"},
      {"unsqueeze", "reshape(x, [1, n])"},
      {"squeeze", "reshape(x, [n])"},
      {"expand", "broadcast(x, [n, m])"},
      {"broadcast_to", "broadcast(x, [n, m])"},
      {"repeat", "tile(x, [counts])"},
      {"arange", "iota[n]"},
      {"range", "iota[n]"},
      {"full_like", "full(v, [n])"},
      {"zeros_like", "zeros[n]"},
      {"ones_like", "ones[n]"},
      {"astype", "cast(x, f32)"},
      {"clamp", "clip(x, a, b)"},
      {"amax", "max(x)"},
      {"amin", "min(x)"},
      {"average", "mean(x)"},
      {"add", "a + b"},
      {"sub", "a - b"},
      {"subtract", "a - b"},
      {"mul", "a * b"},
      {"multiply", "a * b"},
      {"div", "a / b"},
      {"divide", "a / b"},
      {"neg", "-x"},
      {"negative", "-x"},
      {"mod", "a % b"},
      {"remainder", "a % b"},
      {"power", "pow(a, b)"},
      {"absolute", "abs(x)"},
      {"ln", "log(x)"},
      {"swish", "silu(x)"},
      {"logistic", "sigmoid(x)"},
      {"expit", "sigmoid(x)"},
      {"arctan2", "atan2(a, b)"},
      {"logical_and", "a and b"},
      {"logical_or", "a or b"},
      {"logical_not", "not a"},
      {"nll_loss", "cross_entropy(logits, label)"},
      {"mse_loss", "mse(a, b)"},
      {"kl_div", "kl(p, q)"},
      // functional languages
      {"map", "[f(x) for x in xs]"},
      {"reduce", "fold(f, init, xs)"},
      {"foldl", "fold(f, init, xs)"},
      {"accumulate", "scan(f, init, xs)"},
      {"cumsum", "scan(fun(s, x) -> s + x, 0, xs)"},
      {"length", "len(xs)"},
      {"reversed", "reverse(xs)"},
      // words
      {"True", "true"},
      {"False", "false"},
      {"lambda", "fun(x) -> .."},
  };
  const auto found = known.find(name);
  return found == known.end() ? "" : found->second;
}

}  // namespace espalier::fun_pass
