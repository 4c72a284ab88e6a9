// How a process is told to end: by signals, and by the end of its standard input.
#pragma once

#include <memory>

#include "mailbox.h"

namespace ordago {

/// Lets the first SIGINT or SIGTERM order the bot to retire, and the second to leave; the first already, if `at_once`.
/// If it then takes too long to leave, the process is ended.
void stop_by_signals(std::shared_ptr<Mailbox> mailbox, bool at_once);

/// Ends the process when its standard input ends, however that happens: whoever launched it has ended then.
void end_with_standard_input();

/// Lets an exception that nobody catches end the process with what it says, its stack, and the exit code 1.
void tell_uncaught_exceptions();

}  // namespace ordago
