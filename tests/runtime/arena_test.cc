#include "runtime/arena.h"

#include <doctest/doctest.h>

namespace {

using espalier::Arena;

TEST_CASE("pieces are aligned, in order and apart") {
  alignas(64) unsigned char buffer[1024];
  Arena arena(buffer, sizeof buffer);
  const float* a = arena.take<float>(17);
  const std::uint8_t* b = arena.take<std::uint8_t>(1);
  const double* c = arena.take<double>(1);
  CHECK(espalier::aligned(a));
  CHECK(reinterpret_cast<const unsigned char*>(a) == buffer);
  CHECK(reinterpret_cast<const unsigned char*>(b) == buffer + 128);
  CHECK(reinterpret_cast<const unsigned char*>(c) == buffer + 192);
  CHECK(!espalier::aligned(buffer + 4));
  CHECK(Arena(nullptr, 0).take<float>(0) == nullptr);
}

TEST_CASE("what was rewound is handed out again") {
  alignas(64) unsigned char buffer[1024];
  Arena arena(buffer, sizeof buffer);
  arena.take<float>(16);
  const std::size_t mark = arena.used();
  const float* scratch = arena.take<float>(64);
  arena.rewind(mark);
  CHECK(arena.take<float>(16) == scratch);
  CHECK(arena.used() == 128);
}

TEST_CASE("pieces of an overlay share memory, and what follows lies behind the largest") {
  alignas(64) unsigned char buffer[1024];
  Arena arena(buffer, sizeof buffer);
  arena.take<float>(1);
  {
    espalier::Overlay piece(arena);
    float* const small = piece.take<float>(2);
    CHECK(static_cast<void*>(piece.take<double>(20)) == small);
    CHECK(static_cast<void*>(piece.take<std::uint8_t>(3)) == small);
  }
  CHECK(arena.used() == 64 + 192);
  CHECK(static_cast<void*>(arena.take<float>(1)) == buffer + 64 + 192);
}

}  // namespace
