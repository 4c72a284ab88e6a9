// Files for TLS: trusted authorities, and the bot's own certificate and key.
#pragma once

#include <optional>
#include <string>

#include "files.h"

namespace ordago {

/// The paths of files for TLS. An option that was not given has none; the path of one that was given may be empty.
struct TlsFiles {
  std::optional<Given> authorities{};
  std::optional<Given> certificate{};
  std::optional<Given> key{};
};

/// The contents of files for TLS, in PEM; each is empty if there is no such file.
struct Tls {
  std::string authorities{};
  std::string certificate{};
  std::string key{};
};

/// Reads files for TLS.
///
/// Throws UsageError if they cannot be read or used. gRPC would say so in a log of its own only, and the bot would try
/// to connect again and again.
Tls read_tls(const TlsFiles& files);

}  // namespace ordago
