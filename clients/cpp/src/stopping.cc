#include "stopping.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <system_error>
#include <thread>
#include <utility>

namespace ordago {
namespace {

constexpr int exit_session_ended = 3;
constexpr int exit_interrupted = 130;
/// Time for a bot to leave: it does so at once, or after its current thought.
constexpr std::chrono::seconds longest_leave{3};

/// The write end of the pipe through which signals go: a handler of signals may do hardly anything itself.
int write_end = -1;

void pass_on(int number) {
  const int kept = errno;
  const auto byte = static_cast<char>(number);
  [[maybe_unused]] const auto written = ::write(write_end, &byte, 1);
  errno = kept;
}

int next_signal(int read_end) {
  char byte = 0;
  while (::read(read_end, &byte, 1) != 1) {
  }
  return byte;
}

void obey(int read_end, Mailbox& mailbox, bool at_once) {
  next_signal(read_end);
  if (!at_once) {
    mailbox.retire();
    // The shell and the kernel both send SIGHUP when a terminal closes, so it is never the second order.
    while (next_signal(read_end) == SIGHUP) {
    }
  }
  mailbox.leave();
  std::this_thread::sleep_for(longest_leave);
  std::_Exit(exit_interrupted);
}

void handle(int number) {
  struct sigaction action {};
  action.sa_handler = pass_on;
  action.sa_flags = SA_RESTART;
  ::sigaction(number, &action, nullptr);
}

bool is_ignored(int number) {
  struct sigaction present {};
  ::sigaction(number, nullptr, &present);
  return present.sa_handler == SIG_IGN;
}

}  // namespace

void stop_by_signals(std::shared_ptr<Mailbox> mailbox, bool at_once) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  write_end = ends[1];
  std::thread([mailbox = std::move(mailbox), read_end = ends[0], at_once] {
    obey(read_end, *mailbox, at_once);
  }).detach();
  handle(SIGINT);
  handle(SIGTERM);
  if (!is_ignored(SIGHUP)) handle(SIGHUP);
}

void end_with_standard_input() {
  std::thread([] {
    std::array<char, 4096> dropped{};
    while (::read(STDIN_FILENO, dropped.data(), dropped.size()) > 0) {
    }
    std::_Exit(exit_session_ended);
  }).detach();
}

}  // namespace ordago
