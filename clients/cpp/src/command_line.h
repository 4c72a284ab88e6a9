// The command line of a bot, and the variables of the environment for its options.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "address.h"
#include "files.h"
#include "ordago/bot.h"
#include "ordago/player.h"
#include "tls.h"

namespace ordago {

/// Returns the value of a variable of the environment; empty if it is not set, which means the same.
using Environment = std::function<std::string(const std::string& variable)>;

/// The settings of a bot's process.
struct Settings {
  Address address{};
  /// The bearer token; empty: none is sent.
  std::string token{};
  /// The event to enter; empty: the server's ladder, or its only event.
  std::string event{};
  /// Files for TLS; none: the connection is not encrypted.
  std::optional<Tls> tls{};
  /// The file of receipts; none: none are kept.
  std::optional<Given> receipts{};
  /// The file of decisions; none: none are kept.
  std::optional<Given> decisions{};
  LogFormat log_format = LogFormat::text;
  /// Whether a session with faults ends with exit code 1.
  bool strict = false;
  /// The variable of the environment that has a proxy, which is not used; empty if none has.
  std::string unused_proxy{};
  Wishes wishes{};
  bool verbose = false;
  bool help = false;
  bool version = false;
};

/// Returns the settings of a command line, without its first word, and an environment.
///
/// Throws UsageError if they are wrong.
Settings settings_of(std::span<const char* const> words, const Environment& environment, const Program& program);

/// Returns the line that goes before what is wrong with a command line.
std::string usage_text(const std::string& program);

/// Returns the text of `--help`.
std::string help_text();

/// Returns the line of `--version`.
std::string version_text(const Program& program);

}  // namespace ordago
