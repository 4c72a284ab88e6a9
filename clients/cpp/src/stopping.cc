#include "stopping.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace ordago {
namespace {

constexpr int exit_failed = 1;
constexpr int exit_session_ended = 3;
constexpr int exit_interrupted = 130;
/// How long a bot may take to leave that was told to stop: it does so at once, or when it has thought.
constexpr std::chrono::seconds longest_leave{3};
constexpr int frames_shown = 64;

/// The write end of the pipe through which signals go: hardly anything may be done where they are handled.
int inlet = -1;

void pass_on(int number) {
  const int kept = errno;
  const auto byte = static_cast<char>(number);
  [[maybe_unused]] const auto written = ::write(inlet, &byte, 1);
  errno = kept;
}

void wait_for_signal(int outlet) {
  char byte = 0;
  while (::read(outlet, &byte, 1) != 1) {
  }
}

void obey(int outlet, Mailbox& mailbox, bool at_once) {
  wait_for_signal(outlet);
  if (!at_once) {
    mailbox.retire();
    wait_for_signal(outlet);
  }
  mailbox.leave();
  std::this_thread::sleep_for(longest_leave);
  std::_Exit(exit_interrupted);
}

std::string function_at(void* frame) {
  Dl_info place{};
  if (::dladdr(frame, &place) == 0) return "?";
  if (!place.dli_sname) return std::string("? in ") + place.dli_fname;
  const auto release = [](char* text) { std::free(text); };
  const std::unique_ptr<char, decltype(release)> name(abi::__cxa_demangle(place.dli_sname, nullptr, nullptr, nullptr),
                                                      release);
  return name ? name.get() : place.dli_sname;
}

std::string sentence_of(const std::exception_ptr& failure) {
  try {
    if (failure) std::rethrow_exception(failure);
    return "the bot failed";
  } catch (const std::exception& exception) {
    return std::string("the bot failed: ") + exception.what();
  } catch (...) {
    return "the bot failed by something that is no std::exception";
  }
}

// Nothing has been unwound yet. The sentence comes last: a runner shows the last line.
[[noreturn]] void tell_and_end() {
  std::cout.flush();
  std::fflush(nullptr);
  std::array<void*, frames_shown> frames{};
  const auto count = static_cast<std::size_t>(::backtrace(frames.data(), frames_shown));
  for (void* const frame : std::span(frames).first(count)) std::cerr << "  at " << function_at(frame) << "\n";
  std::cerr << sentence_of(std::current_exception()) << std::endl;
  std::_Exit(exit_failed);
}

}  // namespace

void stop_by_signals(std::shared_ptr<Mailbox> mailbox, bool at_once) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  inlet = ends[1];
  std::thread([mailbox = std::move(mailbox), outlet = ends[0], at_once] { obey(outlet, *mailbox, at_once); }).detach();
  struct sigaction action {};
  action.sa_handler = pass_on;
  action.sa_flags = SA_RESTART;
  for (const int number : {SIGINT, SIGTERM}) ::sigaction(number, &action, nullptr);
}

void end_with_standard_input() {
  std::thread([] {
    std::array<char, 4096> dropped{};
    while (::read(STDIN_FILENO, dropped.data(), dropped.size()) > 0) {
    }
    std::_Exit(exit_session_ended);
  }).detach();
}

void tell_uncaught_exceptions() { std::set_terminate(tell_and_end); }

}  // namespace ordago
