// Crashes of a bot's own code.
#pragma once

#include <ordago/v1/decision.pb.h>

#include <functional>
#include <string>

namespace ordago {

/// Sets what is done at last where an uncaught exception ends the process, on any thread; null: nothing.
void at_crash(std::function<void()> last_words);

/// Names, while it lives, the match in which its thread calls a bot, and the decision, if any: a crash tells them.
class CallPlace {
 public:
  /// `asked` is null if the bot is made, or told something.
  CallPlace(const std::string& match_id, const v1::Decision* asked);
  ~CallPlace();
  CallPlace(const CallPlace&) = delete;
  CallPlace& operator=(const CallPlace&) = delete;
};

/// Lets an uncaught exception, or a signal such as SIGSEGV, end the process with exit code 1, its stack and a sentence
/// on standard error.
void report_crashes();

}  // namespace ordago
