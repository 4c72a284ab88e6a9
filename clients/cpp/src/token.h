// Bearer tokens of bots.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ordago {

/// The longest token and the largest token file: more than gRPC sends along with a call.
constexpr std::size_t longest_token_bytes = 8192;

/// Says whether a token has only printable ASCII. gRPC would refuse to send another, and the bot would try again and
/// again.
bool is_sendable(std::string_view token);

/// Returns the token that a file has, without the white space around it. Of a longer file `longest_token_bytes` + 1
/// bytes are enough.
///
/// Throws UsageError with the reason if it has none.
std::string parse_token_file(std::string_view bytes);

}  // namespace ordago
