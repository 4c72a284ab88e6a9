#include "crash.h"

#include <cxxabi.h>
#include <execinfo.h>
#include <signal.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <typeinfo>
#include <utility>

#include "standard_streams.h"
#include "text.h"
#include "trace.h"

namespace ordago {
namespace {

constexpr int exit_failed = 1;
/// Room for a handler whose thread has used up its own stack.
constexpr std::size_t stack_bytes = 1 << 16;

struct Signal {
  int number;
  const char* meaning;
};
constexpr Signal crashes[] = {{SIGSEGV, "SIGSEGV, a wrong address or no stack left"},
                              {SIGBUS, "SIGBUS, a wrong address"},
                              {SIGFPE, "SIGFPE, such as a division by zero"},
                              {SIGILL, "SIGILL, an illegal instruction"},
                              {SIGABRT, "SIGABRT, such as a failed assertion"}};

std::function<void()> last_words;

/// Room for an id; servers send much shorter ones.
constexpr std::size_t id_bytes = 200;
/// The beginning of the sentence about a crash. Of a fixed size, since the handler of a signal cannot allocate.
thread_local std::array<char, 256> place{};

std::string sentence_of(const std::exception_ptr& failure) {
  const std::type_info* const type = abi::__cxa_current_exception_type();
  if (!failure || !type) return "std::terminate was called";
  const std::string sentence = demangled(type->name());
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& exception) {
    return sentence + ": " + exception.what();
  } catch (...) {
    return sentence;
  }
}

// Nothing has been unwound yet.
[[noreturn]] void report_exception() {
  std::cout.flush();
  std::fflush(nullptr);
  show_stack(standard_error(), true);
  const std::string sentence = visible(sentence_of(std::current_exception()));
  standard_error() << place.data() << "the bot failed: " << sentence << std::endl;
  if (last_words) std::exchange(last_words, nullptr)();
  std::_Exit(exit_failed);
}

// Without allocating, since the heap may be what is broken, or locked.
void report_signal(int number) {
  show_stack(standard_error(), false);
  for (const Signal& crash : crashes) {
    if (crash.number != number) continue;
    standard_error() << place.data() << "the bot failed: " << crash.meaning << std::endl;
  }
  std::_Exit(exit_failed);
}

void handle_signals() {
  alignas(16) static std::array<char, stack_bytes> stack;
  const stack_t other{.ss_sp = stack.data(), .ss_flags = 0, .ss_size = stack.size()};
  ::sigaltstack(&other, nullptr);
  struct sigaction action {};
  action.sa_handler = report_signal;
  action.sa_flags = SA_ONSTACK | SA_RESETHAND | SA_NODEFER;
  for (const Signal& crash : crashes) {
    struct sigaction present {};
    ::sigaction(crash.number, nullptr, &present);
    // A sanitizer has a better handler.
    if (present.sa_handler == SIG_DFL) ::sigaction(crash.number, &action, nullptr);
  }
}

}  // namespace

void at_crash(std::function<void()> words) { last_words = std::move(words); }

CallPlace::CallPlace(const std::string& match_id, const v1::Decision* asked) {
  const std::string decision = asked ? ", decision " + std::to_string(asked->number()) : "";
  const std::string text = "match " + visible(match_id).substr(0, id_bytes) + decision + ": ";
  place[text.copy(place.data(), place.size() - 1)] = '\0';
}

CallPlace::~CallPlace() { place[0] = '\0'; }

void report_crashes() {
  std::array<void*, 1> frame{};
  ::backtrace(frame.data(), 1);  // The first call loads a library, which no handler of a signal may do.
  standard_error();
  std::set_terminate(report_exception);
  handle_signals();
}

}  // namespace ordago
