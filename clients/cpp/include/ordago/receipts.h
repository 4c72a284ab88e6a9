// Receipts of what a server said about its event, as evidence for later. See docs/proof.md.
#pragma once

#include <ordago/v1/game_service.pb.h>
#include <ordago/v1/match.pb.h>

#include <functional>
#include <map>
#include <string>

namespace ordago {

/// Stores a receipt, a line of JSON without its line end.
using Keep = std::function<void(const std::string& line)>;

/// Opens or creates a file of receipts, and returns a function that appends to it. Each line is a single call of the
/// system, so the lines of several processes never mix.
///
/// Throws std::system_error if it cannot be written to.
Keep appender(const std::string& path);

/// Refuses a file that is neither empty nor begins with a receipt. Only a regular file can be spoilt.
///
/// Throws std::runtime_error with the reason.
void require_receipts(const std::string& path);

/// Makes receipts of what a server says, over all connections of a process.
class Receipts {
 public:
  explicit Receipts(Keep keep) : keep_(std::move(keep)) {}

  /// Stores the description of the event, which the server gave before it knew the nonce of the bot. There may be no
  /// event.
  void describe(const v1::DescribeEventResponse& described, const std::string& nonce);
  /// Stores the beginning of a match, if it belongs to an event.
  void begin(const v1::MatchStart& start);
  /// Stores the end of a match. The digest of a void one is empty.
  void end(const v1::MatchStart& start, const v1::MatchEnd& end);

 private:
  /// The fields of a receipt: keys, and values in JSON.
  using Fields = std::map<std::string, std::string>;

  void keep(Fields fields) const;

  Keep keep_;
  Fields event_;
};

}  // namespace ordago
