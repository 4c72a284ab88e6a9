// The files that a bot is told to read.
#pragma once

#include <cstddef>
#include <string>

namespace ordago {

/// Returns what is in a file, or the first part of it.
///
/// Throws UsageError if it cannot be read.
std::string contents_of(const std::string& path, std::size_t greatest_bytes);

/// Says why the last call of the system failed, to be put behind a colon.
std::string reason_of(int error_number);

}  // namespace ordago
