// Receipts: what a server said of its event, kept by a bot, so that it can be held to it later. See docs/proof.md.
#pragma once

#include <ordago/v1/game_service.pb.h>
#include <ordago/v1/match.pb.h>

#include <functional>
#include <map>
#include <string>

namespace ordago {

/// Keeps a receipt, a line of JSON without its end.
using Keep = std::function<void(const std::string& line)>;

/// Opens a file of receipts, or makes it, and returns what appends to it, each by a single call of the system, so that
/// lines of several processes never mix.
///
/// Throws std::system_error if it cannot be written to.
Keep receipts_file(const std::string& path);

/// Makes receipts of what a server says, on one connection after the other.
class Receipts {
 public:
  explicit Receipts(Keep keep) : keep_(std::move(keep)) {}

  /// Keeps what the server says of its event, before it is told the nonce of the bot. It may play none.
  void describe(const v1::DescribeEventResponse& described, const std::string& nonce);
  /// Keeps what a match begins with, if it belongs to an event.
  void begin(const v1::MatchStart& start);
  /// Keeps how a match ended that began so. The digest of a void one is empty.
  void end(const v1::MatchStart& start, const v1::MatchEnd& end);

 private:
  /// The values of a receipt, as JSON, by their keys.
  using Told = std::map<std::string, std::string>;

  void keep(Told told) const;

  Keep keep_;
  Told event_;
};

}  // namespace ordago
