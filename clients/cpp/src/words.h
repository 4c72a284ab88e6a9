// What a player writes into its log.
#pragma once

#include <ordago/v1/bot_service.pb.h>

#include <string>

namespace ordago {

/// The name of a fault; a server that is newer than this SDK may know others.
std::string fault_words(v1::Fault fault);
/// What a decision cost, and what it did not.
std::string cost_words(const v1::Accepted& accepted);
/// Why the default answer was taken, and how near the seat is to forfeiting the match.
std::string default_words(const v1::Accepted& accepted);
/// How a match ended for a seat.
std::string end_words(const v1::MatchEnd& end, std::uint32_t seat);
/// The games that are played, in one line.
std::string games_words(const v1::Welcome& welcome);
/// Why an answer was refused, in a word.
std::string cause_of(const v1::Refused& refused);
/// A message in one line, without the secrets of a session.
std::string in_one_line(const v1::ServerMessage& message);
/// A message in one line, without the secrets of a session.
std::string in_one_line(const v1::BotMessage& message);

}  // namespace ordago
