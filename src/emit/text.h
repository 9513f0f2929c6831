// Pieces of C++ text.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/dtype.h"

namespace espalier::emit {

// How an element stands in memory: "float", "std::uint16_t" for 16-bit floats.
std::string memory_type(Dtype);

// Model text on its way into a comment: no line ends, control characters, comment ends, or
// backslashes at the end.
std::string comment_text(std::string_view);

// `text` as lines of "// ..." of at most 100 columns, at `indent`.
std::string comment(std::string_view text, int indent = 0);

// A statement in lines of at most `room` columns: broken behind commas and before operators, at the
// lowest depth of brackets. What has no such place stays as it is.
std::vector<std::string> code_lines(const std::string& text, std::size_t room);

// Breaks lines of more than 100 columns between tokens, and makes several blank lines one.
std::string wrap_lines(const std::string& cpp);

// Declarations with comments behind them, in one column: "const float* W;  // [hidden]".
std::vector<std::string> with_comments(
    const std::vector<std::pair<std::string, std::string>>& declarations);

// Whether `cpp` names `word`: as an identifier, not as a member behind a point or an arrow.
bool names_word(std::string_view cpp, std::string_view word);

std::string join(const std::vector<std::string>&, std::string_view separator);
std::string brackets(const std::vector<std::int64_t>& shape);  // "[2][3]", "" for a scalar

}  // namespace espalier::emit
