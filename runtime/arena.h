// Hands out aligned pieces of a caller's buffer in order; on a null buffer it only counts.
#ifndef ESPALIER_V0_1_ARENA_H
#define ESPALIER_V0_1_ARENA_H

#include <cstddef>
#include <cstdint>

namespace espalier {
inline namespace v0_1 {

constexpr std::size_t alignment = 64;

inline bool aligned(const void* p) { return reinterpret_cast<std::uintptr_t>(p) % alignment == 0; }

// Lay a workspace out twice with the same code: on a null buffer to learn its size, then on the
// buffer. A size that does not fit std::size_t counts as `overflow`, which no buffer has.
class Arena {
 public:
  static constexpr std::size_t overflow = static_cast<std::size_t>(-1);

  explicit Arena(void* buffer) : base_(static_cast<unsigned char*>(buffer)) {}

  // Room for rows * columns objects, or null where the arena only counts.
  template <class T>
  T* take(std::size_t rows, std::size_t columns = 1) {
    static_assert(alignof(T) <= alignment, "the arena aligns to 64 bytes");
    constexpr std::size_t most = (overflow - 2 * alignment) / sizeof(T);
    if (used_ == overflow || (columns > 0 && rows > most / columns)) return spill<T>();
    const std::size_t bytes = round_up(rows * columns * sizeof(T));
    if (bytes > overflow - 1 - used_) return spill<T>();
    T* const piece = base_ ? reinterpret_cast<T*>(base_ + used_) : nullptr;
    used_ += bytes;
    if (used_ > peak_) peak_ = used_;
    return piece;
  }

  // Gives back everything taken since used() was `mark`, for pieces of other use.
  void rewind(std::size_t mark) {
    if (used_ != overflow) used_ = mark;
  }

  std::size_t used() const { return used_; }
  std::size_t peak() const { return peak_; }  // the size that the buffer must have

 private:
  static constexpr std::size_t round_up(std::size_t bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
  }

  template <class T>
  T* spill() {
    used_ = peak_ = overflow;
    return nullptr;
  }

  unsigned char* base_;
  std::size_t used_ = 0;
  std::size_t peak_ = 0;
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
