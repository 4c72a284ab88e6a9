// The events of the log, with their sentences and fields: the table of docs/bot-process.md.
#pragma once

#include <google/protobuf/message.h>
#include <ordago/v1/bot_service.pb.h>

#include <string>

#include "mind.h"
#include "ordago/log.h"
#include "ordago/player.h"

namespace ordago::events {

/// The matches of an event that have begun, and that are planned; 0: unknown.
struct Progress {
  std::uint32_t begun = 0;
  std::uint32_t planned = 0;
};

/// Any other event.
LogEvent note(Level level, std::string message);
LogEvent came(const v1::ServerMessage& message);
LogEvent went(const v1::BotMessage& message);
/// The time charged for a decision, the time not charged, and the time left.
LogEvent cost(const Match& match, const v1::Accepted& accepted);

LogEvent connected(const v1::Welcome& welcome);
LogEvent draining(const std::string& sentence);
LogEvent event_notice(const std::string& sentence);
LogEvent announcement(const std::string& sentence);
LogEvent match_begins(const v1::MatchStart& start, const Progress& progress);
LogEvent match_goes_on(const v1::MatchStart& start);
/// `match` is null if it is over.
LogEvent refused(const Match* match, const v1::Refused& refused, const std::string& cause);
LogEvent default_taken(const Match& match, const v1::Accepted& accepted);
LogEvent forfeited(const Match& match, const v1::Forfeited& notice);
/// `asked` is null if the bot failed in a notice.
LogEvent failed(const Match& match, const v1::Decision* asked, bool at_start, const Failure& failure);
LogEvent match_ended(const Match& match, const v1::MatchEnd& end);
LogEvent connection_broke(const std::string& reason, milliseconds pause);
LogEvent gone_down(milliseconds pause);
LogEvent goodbye_for_now(const std::string& sentence, milliseconds pause);
LogEvent told_to_stop();
LogEvent goodbye(const std::string& sentence);
LogEvent unreachable(const std::string& address, const std::string& reason);
LogEvent session_ended(const std::string& address, grpc::StatusCode status, const std::string& sentence);

/// The name of a status in gRPC.
std::string name_of(grpc::StatusCode status);
/// The name of a fault; a server that is newer than this SDK may know others.
std::string name_of(v1::Fault fault);
/// The cause of a refusal: the rule, else the field, else the fault.
std::string cause_of(const v1::Refused& refused);

}  // namespace ordago::events
