// Text built line by line, indented by scopes.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace espalier {

class LineBuffer {
 public:
  explicit LineBuffer(int step = 2) : step_(step) {}

  // Everything written while a Scope lives stands one step further in.
  class [[nodiscard]] Scope {
   public:
    explicit Scope(LineBuffer* buffer) : buffer_(buffer) { ++buffer_->depth_; }
    ~Scope() { --buffer_->depth_; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    LineBuffer* buffer_;
  };
  Scope indent() { return Scope(this); }

  // `text` as a line, each of its own lines indented; a blank line has no trailing space.
  void line(std::string_view text = {});
  template <class... Args>
  requires(sizeof...(Args) > 0) void line(fmt::format_string<Args...> text, Args&&... args) {
    line(std::string_view(fmt::format(text, std::forward<Args>(args)...)));
  }

  // A part of a line; end_line() ends it.
  void put(std::string_view text);
  void end_line() { text_ += '\n'; }

  // A blank line, unless the text is empty or ends with one.
  void separate();

  // Columns already written in the line at work, the indent included once something stands there.
  std::size_t column() const { return text_.size() - line_start(); }
  std::size_t margin() const { return static_cast<std::size_t>(depth_ * step_); }

  const std::string& text() const& { return text_; }
  std::string text() && { return std::move(text_); }

 private:
  std::size_t line_start() const;
  int step_, depth_ = 0;
  std::string text_;
};

}  // namespace espalier
