// Eight threads call one model at once, each call with a team of its own.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

// call(workspace for `bytes`, results): whether it went well. All get the same results.
template <class Call>
int race(std::size_t bytes, std::size_t results, const Call& call) {
  std::vector<float> all[8];
  bool good[8] = {};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; t++)
    threads.emplace_back([&, t] {
      void* const workspace = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
      good[t] = true;
      for (int turn = 0; turn < 5 && good[t]; turn++) {
        std::memset(workspace, 0xff, bytes);
        all[t].assign(results, -1);
        good[t] = call(workspace, all[t].data());
      }
      std::free(workspace);
    });
  for (std::thread& thread : threads) thread.join();
  for (int t = 0; t < 8; t++) {
    if (good[t] && all[t] == all[0]) continue;
    std::printf("thread %d: another result\n", t);
    return 1;
  }
  return 0;
}

template <class Model>
struct Prepared {
  template <class Prepare, class Weights>
  Prepared(std::size_t bytes, Prepare prepare, const Weights& weights)
      : buffer(std::aligned_alloc(64, (bytes + 63) / 64 * 64)) {
    good = prepare(weights, buffer, &model).code == 0;
  }
  ~Prepared() { std::free(buffer); }
  void* buffer;
  Model model;
  bool good;
};
