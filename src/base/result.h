// A value, or nothing because diagnostics were reported.
#pragma once

#include <optional>
#include <utility>

namespace espalier {

struct Failed {};

// What a function returns that reports mistakes to a Diagnostics: empty exactly if it reported one
// that keeps it from giving a value.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(Failed) {}
  explicit operator bool() const { return value_.has_value(); }
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }

 private:
  std::optional<T> value_;
};

}  // namespace espalier
