// The command line of a bot, and the environment that stands in for it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ordago/bot.h"
#include "ordago/player.h"
#include "tls.h"

namespace ordago {

/// Returns the value of a variable of the environment; empty if there is none, since an empty one counts for nothing.
using Environment = std::function<std::string(const std::string& variable)>;

/// What a bot was told.
struct Settings {
  std::string address{};
  /// What it comes in with; empty where none is asked for.
  std::string token{};
  /// The event that it comes in for; empty: what the server plays at all times, or the one that it plays.
  std::string event{};
  /// How the server proves who it is; none where everything goes in the open.
  std::optional<Tls> tls{};
  /// The file of receipts; empty: none are kept.
  std::string receipts{};
  Wishes wishes{};
  bool verbose = false;
  bool help = false;
};

/// Returns what a command line says, its first word left out, and the environment where it does not.
///
/// Throws UsageError if it cannot be followed.
Settings settings_of(std::span<const char* const> words, const Environment& environment, const Program& program);

/// Returns what `--help` shows.
std::string help_text();

}  // namespace ordago
