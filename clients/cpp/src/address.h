// Addresses of servers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ordago {

/// The address of a server: a host and a port, or the path of a Unix socket.
struct Address {
  /// The address as its author wrote it.
  std::string text{};
  /// A name, an IPv4 address, or an IPv6 address without brackets.
  std::string host{};
  std::uint16_t port = 0;
  /// Empty unless it is a Unix socket.
  std::string path{};

  bool is_unix() const { return !path.empty(); }
};

/// Reads `HOST:PORT`, `[IPv6]:PORT` or `unix:PATH`; nothing is trimmed, decoded or guessed.
///
/// Throws UsageError with the reason if it is none of these.
Address parse_address(std::string_view text);

/// Returns the address as gRPC takes it, a URI.
std::string grpc_target(const Address& address);

}  // namespace ordago
