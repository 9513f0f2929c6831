#include "eval/deep_stack.h"

#include <pthread.h>
#include <sys/mman.h>

#include <cstddef>
#include <exception>
#include <new>

#include "base/bug.h"

namespace espalier::eval {
namespace {

// Address space only: pages are taken from the system when they are touched. Where the system does
// not give as much (limits, strict accounting), less does.
constexpr std::size_t most_bytes = std::size_t{1} << 34, least_bytes = std::size_t{1} << 24;
constexpr std::size_t reserve = std::size_t{1} << 20;

thread_local const char* stack_bottom = nullptr;

struct Task {
  const std::function<void()>* work;
  const char* bottom;
  std::exception_ptr thrown;
};

void* run(void* argument) {
  Task* const task = static_cast<Task*>(argument);
  stack_bottom = task->bottom;
  try {
    (*task->work)();
  } catch (...) {
    task->thrown = std::current_exception();
  }
  return nullptr;
}

}  // namespace

bool stack_left() {
  const char here = 0;
  return stack_bottom == nullptr || &here > stack_bottom + reserve;
}

void on_deep_stack(const std::function<void()>& work) {
  if (stack_bottom != nullptr) return work();
  std::size_t stack_bytes = 2 * most_bytes;
  void* memory = MAP_FAILED;
  while (memory == MAP_FAILED && stack_bytes > least_bytes) {
    stack_bytes /= 2;
    memory = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  }
  if (memory == MAP_FAILED) throw std::bad_alloc();
  Task task{&work, static_cast<const char*>(memory), nullptr};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_t thread;
  const bool started = pthread_attr_setstack(&attributes, memory, stack_bytes) == 0 &&
                       pthread_create(&thread, &attributes, run, &task) == 0;
  pthread_attr_destroy(&attributes);
  if (started) pthread_join(thread, nullptr);
  munmap(memory, stack_bytes);
  require(started, "no thread with a deep stack could be started");
  if (task.thrown) std::rethrow_exception(task.thrown);
}

}  // namespace espalier::eval
