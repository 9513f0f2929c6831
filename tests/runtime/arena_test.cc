#include "runtime/arena.h"

#include <doctest/doctest.h>

#include <initializer_list>

namespace {

using espalier::Arena;

TEST_CASE("an arena on a null buffer counts what one on a buffer hands out") {
  alignas(64) unsigned char buffer[1024];
  Arena counting(nullptr), arena(buffer);
  for (Arena* a : {&counting, &arena}) {
    a->take<float>(3);
    a->take<std::uint8_t>(65);
    a->take<double>(0);
    a->take<float>(2, 5);
  }
  CHECK(counting.used() == 64 + 128 + 0 + 64);
  CHECK(arena.used() == counting.used());
  CHECK(arena.peak() == counting.peak());
}

TEST_CASE("pieces are aligned, in order and apart") {
  alignas(64) unsigned char buffer[1024];
  Arena arena(buffer);
  const float* a = arena.take<float>(17);
  const std::uint8_t* b = arena.take<std::uint8_t>(1);
  const double* c = arena.take<double>(1);
  CHECK(espalier::aligned(a));
  CHECK(reinterpret_cast<const unsigned char*>(a) == buffer);
  CHECK(reinterpret_cast<const unsigned char*>(b) == buffer + 128);
  CHECK(reinterpret_cast<const unsigned char*>(c) == buffer + 192);
  CHECK(!espalier::aligned(buffer + 4));
  CHECK(Arena(nullptr).take<float>(9) == nullptr);
}

TEST_CASE("what was rewound is handed out again, and the peak remains") {
  alignas(64) unsigned char buffer[1024];
  Arena arena(buffer);
  arena.take<float>(16);
  const std::size_t mark = arena.used();
  const float* scratch = arena.take<float>(64);
  arena.rewind(mark);
  CHECK(arena.take<float>(16) == scratch);
  CHECK(arena.used() == 128);
  CHECK(arena.peak() == 64 + 256);
}

TEST_CASE("a size that does not fit is a size that no buffer has") {
  constexpr std::size_t most = static_cast<std::size_t>(-1);
  for (const std::size_t rows : {most, most / 4, most / 4 - 15, most / 2}) {
    Arena arena(nullptr);
    arena.take<float>(1);
    CHECK(arena.take<float>(rows) == nullptr);
    CHECK(arena.used() == Arena::overflow);
    arena.take<float>(1);
    arena.rewind(0);
    CHECK(arena.used() == Arena::overflow);
    CHECK(arena.peak() == Arena::overflow);
  }
  Arena product(nullptr);
  product.take<float>(most / 8, 16);
  CHECK(product.used() == Arena::overflow);
  Arena sum(nullptr);
  sum.take<std::uint8_t>(most / 2 + 1);
  CHECK(sum.used() == most / 2 + 1);
  sum.take<std::uint8_t>(most / 2 + 1);
  CHECK(sum.used() == Arena::overflow);
}

TEST_CASE("pieces of an overlay share memory, and what follows lies behind the largest") {
  alignas(64) unsigned char buffer[1024];
  Arena arena(buffer);
  arena.take<float>(1);
  {
    espalier::Overlay piece(arena);
    float* const small = piece.take<float>(2);
    CHECK(static_cast<void*>(piece.take<double>(20)) == small);
    CHECK(static_cast<void*>(piece.take<std::uint8_t>(3)) == small);
  }
  CHECK(arena.used() == 64 + 192);
  CHECK(static_cast<void*>(arena.take<float>(1)) == buffer + 64 + 192);
  Arena counting(nullptr);
  {
    espalier::Overlay piece(counting);
    piece.take<float>(static_cast<std::size_t>(-1));
    piece.take<float>(1);
  }
  CHECK(counting.peak() == Arena::overflow);
}

}  // namespace
