#include "pool.h"

#include <utility>

namespace ordago {

Pool::Pool(unsigned threads) {
  for (unsigned count = 0; count < threads; ++count) threads_.emplace_back([this] { work(); });
}

Pool::~Pool() {
  {
    const std::scoped_lock lock(changing_);
    is_closing_ = true;
  }
  changed_.notify_all();
  threads_.clear();
}

void Pool::run(std::function<void()> task) {
  {
    const std::scoped_lock lock(changing_);
    tasks_.push_back(std::move(task));
  }
  changed_.notify_one();
}

void Pool::work() {
  std::unique_lock lock(changing_);
  while (true) {
    changed_.wait(lock, [this] { return is_closing_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    const auto task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    lock.lock();
  }
}

}  // namespace ordago
