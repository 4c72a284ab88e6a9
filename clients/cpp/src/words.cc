#include "words.h"

namespace ordago {
namespace {

std::string in_milliseconds(std::uint32_t number) { return std::to_string(number) + " ms"; }

}  // namespace

std::string or_none(const std::string& sentence) { return sentence.empty() ? "no reason was given" : sentence; }

std::string status_name(grpc::StatusCode status) {
  constexpr const char* names[] = {
      "OK",        "CANCELLED",      "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
      "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
      "ABORTED",   "OUT_OF_RANGE",   "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
      "DATA_LOSS", "UNAUTHENTICATED"};
  return status >= 0 && status < std::ssize(names) ? names[status] : "status " + std::to_string(status);
}

std::string fault_words(v1::Fault fault) {
  return v1::Fault_IsValid(fault) ? v1::Fault_Name(fault) : "fault " + std::to_string(fault);
}

std::string cost_words(const v1::Accepted& accepted) {
  std::string words = "charged " + in_milliseconds(accepted.charged_ms());
  if (accepted.lag_ms()) words += ", travelled for " + in_milliseconds(accepted.lag_ms());
  if (accepted.lost_ms()) words += ", the server lost " + in_milliseconds(accepted.lost_ms());
  return words + ", " + in_milliseconds(accepted.bank_ms()) + " left in the bank";
}

std::string default_words(const v1::Accepted& accepted) {
  const std::string reason = or_none(accepted.sentence()) + " (" + fault_words(accepted.fault()) + ")";
  if (accepted.faults_left() == 0) return reason;
  return reason + "; " + std::to_string(accepted.faults_left()) + " more and the match is forfeited";
}

std::string end_words(const v1::MatchEnd& end, std::uint32_t seat) {
  std::string forfeits;
  for (const v1::Forfeit& forfeit : end.forfeits()) {
    forfeits += ", seat " + std::to_string(forfeit.seat()) + " forfeited (" + fault_words(forfeit.fault()) + ")";
  }
  if (!end.has_outcome()) return "void" + forfeits + ": " + or_none(end.sentence());
  const auto& placings = end.outcome().placings();
  const auto place = static_cast<int>(seat);
  return (place < placings.size() ? "placing " + std::to_string(placings.at(place)) : "no placing") + forfeits;
}

std::string games_words(const v1::Welcome& welcome) {
  std::string words;
  for (const v1::OfferedGame& offered : welcome.games()) words += (words.empty() ? "" : ", ") + offered.game();
  return words;
}

std::string cause_of(const v1::Refused& refused) {
  if (!refused.rule().empty()) return refused.rule();
  return refused.field().empty() ? fault_words(refused.fault()) : refused.field();
}

std::string in_one_line(const v1::ServerMessage& message) {
  return message.has_welcome() ? "welcome" : message.ShortDebugString();  // It holds the token of the session.
}

std::string in_one_line(const v1::BotMessage& message) {
  return message.has_hello() ? "hello" : message.ShortDebugString();  // It may hold the token of a session.
}

}  // namespace ordago
