// Files that the command line names.
#pragma once

#include <cstddef>
#include <string>

namespace ordago {

/// A value, and the option or variable that it comes from.
struct Given {
  std::string source{};
  std::string value{};
};

/// Returns the contents of a file, up to a number of bytes.
///
/// Throws UsageError with the reason of the system if it cannot be read.
std::string contents_of(const std::string& path, std::size_t greatest_bytes);

/// Returns the reason for an error of the system, as the end of a sentence.
std::string reason_of(int error_number);

}  // namespace ordago
