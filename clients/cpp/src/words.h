// Parts of log messages.
#pragma once

#include <grpcpp/support/status_code_enum.h>
#include <ordago/v1/bot_service.pb.h>

#include <string>

namespace ordago {

/// The sentence of a message, or that there is none.
std::string or_none(const std::string& sentence);
/// The name of a status in gRPC.
std::string status_name(grpc::StatusCode status);
/// The name of a fault; a server that is newer than this SDK may know others.
std::string fault_words(v1::Fault fault);
/// The time charged for a decision, the time not charged, and the time left.
std::string cost_words(const v1::Accepted& accepted);
/// The reason why the default answer was taken, and the faults left before the match is forfeited.
std::string default_words(const v1::Accepted& accepted);
/// The placing of a seat, or the reason why the match is void, and the forfeits.
std::string end_words(const v1::MatchEnd& end, std::uint32_t seat);
/// The games of a server, in one line.
std::string games_words(const v1::Welcome& welcome);
/// The cause of a refusal: the rule, else the field, else the fault.
std::string cause_of(const v1::Refused& refused);
/// A message in one line, without the secrets of a session.
std::string in_one_line(const v1::ServerMessage& message);
/// A message in one line, without the secrets of a session.
std::string in_one_line(const v1::BotMessage& message);

}  // namespace ordago
