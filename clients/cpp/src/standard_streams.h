// Standard input, output and error, whatever became of them.
#pragma once

#include <ostream>

namespace ordago {

/// Opens /dev/null in place of each of the descriptors 0, 1 and 2 that is closed, so that no socket takes its place,
/// and ignores SIGPIPE.
void secure_standard_streams();

/// Returns standard error as a stream that never fails, and never waits for a reader for long: what cannot be written
/// is lost.
std::ostream& standard_error();

}  // namespace ordago
