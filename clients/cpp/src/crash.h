// Crashes of a bot's own code.
#pragma once

#include <functional>

namespace ordago {

/// Sets what is done at last where an uncaught exception ends the process, on any thread; null: nothing.
void at_crash(std::function<void()> last_words);

/// Lets an uncaught exception, or a signal such as SIGSEGV, end the process with exit code 1, its stack and a sentence
/// on standard error.
void report_crashes();

}  // namespace ordago
