// Mistakes in the command line of a bot.
#pragma once

#include <stdexcept>
#include <string>

namespace ordago {

/// A mistake in the command line or the environment; the message is one sentence, or the reason in it.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace ordago
