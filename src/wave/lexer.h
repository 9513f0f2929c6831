// The words of the text form of wave.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace espalier::wave {

struct Token {
  enum class Kind : std::uint8_t {
    word,    // a bare name or keyword
    value,   // %name, without the %
    string,  // in quotes; `text` is what it says
    number,  // without a sign
    mark,    // punctuation
    end,
    bad,  // no token, or an unfinished string
  };
  Kind kind = Kind::end;
  std::string text;
  std::uint32_t offset = 0, length = 1;  // in the source
};

// The last token is of kind `end`, or `bad` where the text is no tokens from there on.
std::vector<Token> tokens(std::string_view text);

}  // namespace espalier::wave
