#include "base/line_buffer.h"

namespace espalier {

std::size_t LineBuffer::line_start() const {
  const std::size_t end = text_.rfind('\n');
  return end == std::string::npos ? 0 : end + 1;
}

void LineBuffer::put(std::string_view text) {
  if (text.empty()) return;
  if (column() == 0) text_.append(margin(), ' ');
  text_ += text;
}

void LineBuffer::line(std::string_view text) {
  for (;;) {
    const std::size_t end = text.find('\n');
    put(text.substr(0, end));
    end_line();
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

void LineBuffer::separate() {
  if (!text_.empty() && !text_.ends_with("\n\n")) end_line();
}

}  // namespace espalier
