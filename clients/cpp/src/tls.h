// What a bot needs for a connection that nobody can listen in to.
#pragma once

#include <optional>
#include <string>

namespace ordago {

/// Where the files of TLS lie. An option that was not given is none; one that was given may be empty, and is no file.
struct TlsFiles {
  std::optional<std::string> authorities{};
  std::optional<std::string> certificate{};
  std::optional<std::string> key{};
};

/// What a bot knows its server by, and what it proves with who it is itself. All of it is PEM; empty where there is
/// none.
struct Tls {
  std::string authorities{};
  std::string certificate{};
  std::string key{};
};

/// Returns what the files hold.
///
/// Throws UsageError if they cannot be read or used. gRPC would say so in a log of its own only, and the bot would try
/// to connect again and again.
Tls read_tls(const TlsFiles& files);

}  // namespace ordago
