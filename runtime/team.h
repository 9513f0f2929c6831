// The threads of one call. They come from OpenMP where it is on; with ESPALIER_STD_THREADS from
// std::thread, for ThreadSanitizer and for hosts without OpenMP; else a team is its caller.
#ifndef ESPALIER_V0_1_TEAM_H
#define ESPALIER_V0_1_TEAM_H

#include <atomic>

#if defined(__unix__) || defined(__APPLE__)
#include <sched.h>
#endif
#if defined(ESPALIER_STD_THREADS)
#include <thread>
#elif defined(_OPENMP)
#include <omp.h>
#endif

namespace espalier {
inline namespace v0_1 {

constexpr int max_threads = 64;  // a larger team is not asked for

// All members wait until the last one has come. What each wrote before is seen by all after.
class Barrier {
 public:
  // Before the first wait(): how many members there are, and on how many processors.
  void open(int members, int processors) {
    members_ = members;
    spins_ = members <= processors ? 2000 : 0;  // a member that spins keeps another from running
  }

  // The same, and whether any member has come with `failed` so far: one answer for all, which no
  // member that goes on can change under those that still ask.
  bool wait(bool failed) {
    if (failed) failed_.store(true, std::memory_order_relaxed);
    if (members_ > 1) wait();
    return members_ > 1 ? verdict_ : failed_.load(std::memory_order_relaxed);
  }

  void wait() {
    if (members_ == 1) return;
    const unsigned turn = turn_.load(std::memory_order_acquire);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == members_) {
      verdict_ = failed_.load(std::memory_order_relaxed);
      arrived_.store(0, std::memory_order_relaxed);
      turn_.store(turn + 1, std::memory_order_release);
      return;
    }
    for (int spins = 0; turn_.load(std::memory_order_acquire) == turn;)
      if (spins < spins_)
        spins++, pause();
      else
        yield();
  }

 private:
  static void pause() {
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
    __builtin_ia32_pause();
#endif
  }

  static void yield() {
#if defined(ESPALIER_STD_THREADS)
    std::this_thread::yield();
#elif defined(__unix__) || defined(__APPLE__)
    sched_yield();
#endif
  }

  int members_ = 1;
  int spins_ = 0;
  std::atomic<bool> failed_{false};
  bool verdict_ = false;                       // failed_ when the last member came
  alignas(64) std::atomic<int> arrived_{0};    // apart, so that those who arrive
  alignas(64) std::atomic<unsigned> turn_{0};  // do not disturb those who wait
};

// Calls work(barrier, member, members) on up to `threads` threads, as many as the system gives:
// inside another parallel region, or under OMP_THREAD_LIMIT=1, that may be one.
template <class Work>
void run_team(int threads, const Work& work) {
  if (threads > max_threads) threads = max_threads;
  Barrier barrier;
  if (threads <= 1) return work(barrier, 0, 1);
#if defined(ESPALIER_STD_THREADS)
  barrier.open(threads, static_cast<int>(std::thread::hardware_concurrency()));
  std::thread others[max_threads];
  for (int t = 1; t < threads; t++)
    others[t] = std::thread([&work, &barrier, t, threads] { work(barrier, t, threads); });
  work(barrier, 0, threads);
  for (int t = 1; t < threads; t++) others[t].join();
#elif defined(_OPENMP)
#pragma omp parallel num_threads(threads)
  {
#pragma omp single
    barrier.open(omp_get_num_threads(), omp_get_num_procs());
    work(barrier, omp_get_thread_num(), omp_get_num_threads());
  }
#else
  work(barrier, 0, 1);
#endif
}

// The part [begin, end) of [0, count) that belongs to one member: parts differ by at most one.
// No product can overflow, whatever the count.
template <class Index>
struct Share {
  Index begin, end;

  Share(Index count, int member, int members) {
    const Index all = static_cast<Index>(members), me = static_cast<Index>(member);
    const Index part = count / all, longer = count % all;
    begin = part * me + (me < longer ? me : longer);
    end = begin + part + (me < longer ? 1 : 0);
  }
};

}  // namespace v0_1
}  // namespace espalier

#endif
