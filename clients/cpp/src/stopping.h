// Orders to end: signals, and the end of standard input.
#pragma once

#include <memory>

#include "mailbox.h"

namespace ordago {

/// Lets the first SIGINT, SIGTERM or SIGHUP order the bot to retire, and SIGINT or SIGTERM after it to leave; with
/// `at_once` the first orders it to leave. SIGHUP is left alone if it was ignored before, as by nohup. A bot that takes
/// too long to leave is ended with its process.
void stop_by_signals(std::shared_ptr<Mailbox> mailbox, bool at_once);

/// Ends the process when its standard input ends, since the program that started it has ended then.
void end_with_standard_input();

}  // namespace ordago
