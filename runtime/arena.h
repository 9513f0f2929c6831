// Hands out aligned pieces of a caller's buffer in order.
#ifndef ESPALIER_V0_1_ARENA_H
#define ESPALIER_V0_1_ARENA_H

#include <cstddef>
#include <cstdint>

// Defined where a build is to be checked: that a workspace is as large as the code believes.
#ifdef ESPALIER_DEBUG
#include <cassert>
#define ESPALIER_ASSERT(condition) assert(condition)
#else
#define ESPALIER_ASSERT(condition) static_cast<void>(sizeof(condition))
#endif

namespace espalier {
inline namespace v0_1 {

constexpr std::size_t alignment = 64;

inline bool aligned(const void* p) { return reinterpret_cast<std::uintptr_t>(p) % alignment == 0; }

class Arena {
 public:
  // On a buffer of at least as many bytes as will be taken of it.
  Arena(void* buffer, std::size_t bytes)
      : base_(static_cast<unsigned char*>(buffer)), bytes_(bytes) {}

  // Room for rows * columns objects.
  template <class T>
  T* take(std::size_t rows, std::size_t columns = 1) {
    static_assert(alignof(T) <= alignment, "the arena aligns to 64 bytes");
    T* const piece = reinterpret_cast<T*>(base_ + used_);
    used_ += (rows * columns * sizeof(T) + alignment - 1) / alignment * alignment;
    ESPALIER_ASSERT(used_ <= bytes_);
    return piece;
  }

  // Gives back everything taken since used() was `mark`, for pieces of other use.
  void rewind(std::size_t mark) { used_ = mark; }

  std::size_t used() const { return used_; }

 private:
  unsigned char* base_;
  std::size_t bytes_;
  std::size_t used_ = 0;
};

// Pieces that share memory, because they are not in use at the same time: each begins where the
// first does, and what is taken of the arena afterwards lies behind the largest.
class Overlay {
 public:
  explicit Overlay(Arena& arena) : arena_(arena), begin_(arena.used()), end_(begin_) {}
  ~Overlay() { arena_.rewind(end_); }
  Overlay(const Overlay&) = delete;
  Overlay& operator=(const Overlay&) = delete;

  template <class T>
  T* take(std::size_t rows, std::size_t columns = 1) {
    arena_.rewind(begin_);
    T* const piece = arena_.take<T>(rows, columns);
    if (arena_.used() > end_) end_ = arena_.used();
    return piece;
  }

 private:
  Arena& arena_;
  std::size_t begin_, end_;
};

}  // namespace v0_1
}  // namespace espalier

#endif
