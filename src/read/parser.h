// The expression language, from text to fun (language.md section 3).
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"
#include "fun/expr.h"
#include "read/lexer.h"

namespace espalier::read {

// What the parser has to know of the text's surroundings.
struct ParseContext {
  // The data type that a name stands for ("" if none): `Tree.Node(..)` constructs if Tree is one.
  std::function<std::string(std::string_view)> data_type = [](std::string_view) {
    return std::string();
  };
  std::vector<std::string> type_names;  // for suggestions
  int depth = 0;  // levels of the expression around the text, of which `deepest` are allowed
};

// What stands left of the = of a statement: a pattern, or a local function's name and parameters.
struct Target {
  fun::PatternRef pattern;
  bool function = false;
  std::vector<fun::PatternRef> params;
};

Result<fun::ExprRef> parse_expr(const Snippet&, const ParseContext&, Diagnostics*);
Result<fun::Statement> parse_statement(const Snippet&, const ParseContext&, Diagnostics*);
Result<fun::PatternRef> parse_pattern(const Snippet&, const ParseContext&, Diagnostics*);
Result<Target> parse_target(const Snippet&, const ParseContext&, Diagnostics*);

// Target and value as a statement; a local function is a lambda.
fun::Statement make_statement(Target, fun::ExprRef value);

}  // namespace espalier::read
