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

/// A file that the command line names cannot be used, so that its usage would not help.
class FileError : public UsageError {
 public:
  using UsageError::UsageError;
};

}  // namespace ordago
