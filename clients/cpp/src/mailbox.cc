#include "mailbox.h"

#include <utility>

namespace ordago {
namespace {

/// The most frames that wait while the bot thinks about an earlier one; then the connection is read no further.
constexpr std::size_t frames_ahead = 1024;

}  // namespace

void Mailbox::put(Mail mail) {
  std::unique_lock lock(changing_);
  changed_.wait(lock, [this] { return mails_.size() < frames_ahead || leave_; });
  mails_.push_back(std::move(mail));
  changed_.notify_all();
}

void Mailbox::clear() {
  const std::scoped_lock lock(changing_);
  mails_.clear();
  changed_.notify_all();
}

void Mailbox::think() {
  const std::scoped_lock lock(changing_);
  has_thoughts_ = true;
  changed_.notify_all();
}

void Mailbox::retire() {
  const std::scoped_lock lock(changing_);
  retire_ = true;
  changed_.notify_all();
}

void Mailbox::leave() {
  const std::scoped_lock lock(changing_);
  leave_ = true;
  changed_.notify_all();
}

std::optional<Mail> Mailbox::next_until(std::optional<Time> end) {
  std::unique_lock lock(changing_);
  std::optional<Mail> mail = taken();
  while (!mail) {
    const bool is_past = end && changed_.wait_until(lock, *end) == std::cv_status::timeout;
    if (!end) changed_.wait(lock);
    mail = taken();
    if (is_past) break;
  }
  return mail;
}

std::optional<Mail> Mailbox::taken() {
  if (leave_ && !std::exchange(leave_taken_, true)) return LeaveOrder{};
  if (retire_ && !leave_ && !std::exchange(retire_taken_, true)) return RetireOrder{};
  if (std::exchange(has_thoughts_, false)) return Thoughts{};
  if (mails_.empty()) return std::nullopt;
  std::optional<Mail> mail(std::move(mails_.front()));
  mails_.pop_front();
  changed_.notify_all();
  return mail;
}

}  // namespace ordago
