// Threads that think.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace ordago {

/// Threads that run tasks in the order in which they come.
class Pool {
 public:
  explicit Pool(unsigned threads);
  /// Runs the tasks that are left, and waits for the threads.
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  void run(std::function<void()> task);

 private:
  void work();

  std::mutex changing_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  bool is_closing_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace ordago
