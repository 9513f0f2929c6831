#include "runtime/team.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <initializer_list>
#include <thread>
#include <vector>

namespace {

using espalier::Barrier;
using espalier::Share;

template <class Index>
void check_shares(Index count, int members) {
  Index at = 0;
  for (int m = 0; m < members; m++) {
    const Share<Index> share(count, m, members);
    REQUIRE(share.begin == at);
    REQUIRE(share.end >= share.begin);
    REQUIRE(share.end - share.begin - count / members <= 1);
    at = share.end;
  }
  REQUIRE(at == count);
}

TEST_CASE("shares cover the whole once and differ by at most one") {
  for (int members = 1; members <= 9; members++)
    for (int count = 0; count <= 40; count++) check_shares(count, members);
  check_shares(2147483647, 64);
  check_shares(std::int64_t{9223372036854775807}, 64);
  check_shares(std::int64_t{1} << 40, 7);
}

// Each member adds what its neighbours wrote in the round before, so that a missing wait shows.
std::vector<long> rounds(int threads, int count) {
  std::vector<long> out;
  espalier::run_team(threads, [&](Barrier& barrier, int member, int members) {
    static constexpr int most = espalier::max_threads;
    if (member == 0) out.assign(2 * most, 1);
    barrier.wait();
    const std::size_t me = static_cast<std::size_t>(member);
    const std::size_t next = static_cast<std::size_t>((member + 1) % members);
    for (int r = 0; r < count; r++) {
      const std::size_t from = r % 2 == 0 ? 0 : most, to = most - from;
      out[to + me] = (out[from + me] + out[from + next]) % 1000003;
      barrier.wait();
    }
  });
  return out;
}

TEST_CASE("a team in step: all members see what all wrote before the barrier") {
  long expected = 1;
  for (int r = 0; r < 500; r++) expected = expected * 2 % 1000003;
  for (const int threads : {-1, 0, 1, 2, 3, 8, 8, 1000}) {
    const std::vector<long> out = rounds(threads, threads > 8 ? 20 : 500);
    if (threads <= 8) CHECK(out[0] == expected);
  }
}

TEST_CASE("members are numbered, and no more than were asked for") {
  for (const int threads : {1, 2, 5}) {
    std::vector<int> seen(64, 0);
    std::vector<int> sizes(64, 0);
    espalier::run_team(threads, [&](Barrier&, int member, int members) {
      seen[static_cast<std::size_t>(member)]++;
      sizes[static_cast<std::size_t>(member)] = members;
    });
    const int members = sizes[0];
    CHECK(members >= 1);
    CHECK(members <= threads);
    for (int m = 0; m < 64; m++) {
      CHECK(seen[static_cast<std::size_t>(m)] == (m < members ? 1 : 0));
      if (m < members) CHECK(sizes[static_cast<std::size_t>(m)] == members);
    }
  }
}

TEST_CASE("teams inside a team") {
  std::vector<std::vector<long>> inner(8);
  espalier::run_team(4, [&](Barrier& barrier, int member, int) {
    inner[static_cast<std::size_t>(member)] = rounds(3, 100);
    barrier.wait();
  });
  long expected = 1;
  for (int r = 0; r < 100; r++) expected = expected * 2 % 1000003;
  CHECK(inner[0][0] == expected);
}

TEST_CASE("several callers at once, each with a team") {
  std::vector<std::thread> callers;
  std::vector<long> answers(8);
  for (std::size_t c = 0; c < answers.size(); c++)
    callers.emplace_back([&answers, c] { answers[c] = rounds(8, 30)[0]; });
  for (std::thread& caller : callers) caller.join();
  long expected = 1;
  for (int r = 0; r < 30; r++) expected = expected * 2 % 1000003;
  for (const long answer : answers) CHECK(answer == expected);
}

TEST_CASE("all members hear the same of a failure, whoever goes on") {
  for (int turn = 0; turn < 200; turn++) {
    int waits[8] = {};
    espalier::run_team(8, [&](Barrier& barrier, int member, int) {
      for (int round = 0; round < 20; round++) {
        waits[member]++;
        // A member that is early in the next round may fail there before others have asked.
        if (barrier.wait(member == 3 && round == turn % 19)) return;
      }
    });
    for (const int w : waits) CHECK((w == waits[0] || w == 0));
    CHECK((waits[3] == 0 || waits[3] == turn % 19 + 1));
  }
}

}  // namespace
