// What is wrong with how a bot was started.
#pragma once

#include <stdexcept>
#include <string>

namespace ordago {

/// The command line or the environment cannot be followed; the message is one sentence that says why.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace ordago
