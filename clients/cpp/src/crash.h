// Crashes of a bot's own code.
#pragma once

namespace ordago {

/// Lets an uncaught exception, or a signal such as SIGSEGV, end the process with exit code 1, its stack and a sentence
/// on standard error.
void report_crashes();

}  // namespace ordago
