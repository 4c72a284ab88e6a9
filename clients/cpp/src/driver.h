// The loop over all connections of a session.
#pragma once

#include "command_line.h"
#include "mailbox.h"

namespace ordago {

/// Plays until the session is over or the bot is told to leave, and returns the exit code.
int play(Player& player, const Settings& settings, Mailbox& mailbox, const Log& log);

}  // namespace ordago
