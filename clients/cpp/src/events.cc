#include "events.h"

#include <array>
#include <cstdio>

#include "json.h"

namespace ordago::events {
namespace {

using std::string, std::to_string;
using Fields = std::vector<Field>;

Field text(string key, const string& value) { return {std::move(key), json::quoted(value)}; }

Field number(string key, std::uint64_t value) { return {std::move(key), to_string(value)}; }

string or_none(const string& sentence) { return sentence.empty() ? "no reason was given" : sentence; }

string joined(const auto& games) {
  string words;
  for (const v1::OfferedGame& offered : games) words += (words.empty() ? "" : ", ") + offered.game();
  return words;
}

string in_match(const Match* match) { return match ? "match " + match->id() : "a match that is over"; }

string at_decision(const Match* match, std::uint32_t decision) {
  return in_match(match) + ", decision " + to_string(decision);
}

Fields of_decision(const Match* match, std::uint32_t decision) {
  Fields fields;
  if (match) fields.push_back(text("match", match->id()));
  fields.push_back(number("decision", decision));
  return fields;
}

Fields of_start(const v1::MatchStart& start) {
  return {text("match", start.match_id()), text("game", start.game()), number("seat", start.seat())};
}

Fields with(Fields fields, std::initializer_list<Field> more) {
  fields.insert(fields.end(), more);
  return fields;
}

string start_words(const v1::MatchStart& start, const string& verb) {
  return "match " + start.match_id() + " of " + start.game() + " " + verb + ", seat " + to_string(start.seat());
}

string in_seconds(milliseconds pause) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f", static_cast<double>(pause.count()) / 1000);
  return text.data();
}

string again(milliseconds pause) { return "; trying again in " + in_seconds(pause) + " s"; }

Field seconds(milliseconds pause) { return {"seconds", in_seconds(pause)}; }

}  // namespace

string name_of(grpc::StatusCode status) {
  constexpr const char* names[] = {
      "OK",        "CANCELLED",      "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
      "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
      "ABORTED",   "OUT_OF_RANGE",   "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
      "DATA_LOSS", "UNAUTHENTICATED"};
  return status >= 0 && status < std::ssize(names) ? names[status] : "status " + to_string(status);
}

string name_of(v1::Fault fault) {
  return v1::Fault_IsValid(fault) ? v1::Fault_Name(fault) : "fault " + to_string(fault);
}

string cause_of(const v1::Refused& refused) {
  if (!refused.rule().empty()) return refused.rule();
  return refused.field().empty() ? name_of(refused.fault()) : refused.field();
}

LogEvent note(Level level, string message) { return {.level = level, .name = "note", .message = std::move(message)}; }

// Welcome holds the token of the session, and Hello may hold one.
LogEvent came(const v1::ServerMessage& message) {
  const string shown = message.has_welcome() ? "welcome" : message.ShortDebugString();
  return {.level = Level::debug, .name = "came", .message = "came: " + shown};
}

LogEvent went(const v1::BotMessage& message) {
  const string shown = message.has_hello() ? "hello" : message.ShortDebugString();
  return {.level = Level::debug, .name = "went", .message = "went: " + shown};
}

LogEvent cost(const Match& match, const v1::Accepted& accepted) {
  string words = "charged " + to_string(accepted.charged_ms()) + " ms";
  if (accepted.lag_ms()) words += ", travelled for " + to_string(accepted.lag_ms()) + " ms";
  if (accepted.lost_ms()) words += ", the server lost " + to_string(accepted.lost_ms()) + " ms";
  words += ", " + to_string(accepted.bank_ms()) + " ms left in the bank";
  return note(Level::debug, at_decision(&match, accepted.number()) + ": " + words);
}

LogEvent connected(const v1::Welcome& welcome) {
  std::vector<string> games;
  for (const v1::OfferedGame& offered : welcome.games()) games.push_back(json::quoted(offered.game()));
  const string words = welcome.resumed() ? "session resumed; games: " : "connected; games: ";
  return {.name = welcome.resumed() ? "resumed" : "connected",
          .message = words + joined(welcome.games()),
          .fields = {{"games", json::list(games)}}};
}

LogEvent draining(const string& sentence) {
  return {.name = "draining",
          .message = "the server is going down: " + or_none(sentence),
          .fields = {text("sentence", sentence)}};
}

LogEvent event_notice(const string& sentence) {
  return {.name = "event_notice", .message = "event: " + or_none(sentence), .fields = {text("sentence", sentence)}};
}

LogEvent announcement(const string& sentence) {
  return {.name = "announcement",
          .message = "announcement: " + or_none(sentence),
          .fields = {text("sentence", sentence)}};
}

LogEvent match_begins(const v1::MatchStart& start, const Progress& progress) {
  LogEvent event{.name = "match_begins", .message = start_words(start, "begins"), .fields = of_start(start)};
  if (progress.planned == 0) return event;
  event.message += ", match " + to_string(progress.begun) + " of " + to_string(progress.planned);
  event.fields.push_back(number("number", progress.begun));
  event.fields.push_back(number("planned", progress.planned));
  return event;
}

LogEvent match_goes_on(const v1::MatchStart& start) {
  return {.name = "match_goes_on", .message = start_words(start, "goes on"), .fields = of_start(start)};
}

LogEvent refused(const Match* match, const v1::Refused& refused, const string& cause) {
  return {.level = Level::warning,
          .name = "refused",
          .message =
              at_decision(match, refused.number()) + ": refused: " + or_none(refused.sentence()) + " (" + cause + ")",
          .fields =
              with(of_decision(match, refused.number()), {text("cause", cause), text("sentence", refused.sentence())})};
}

LogEvent default_taken(const Match& match, const v1::Accepted& accepted) {
  const string fault = name_of(accepted.fault());
  string message = at_decision(&match, accepted.number()) +
                   ": the default answer was taken: " + or_none(accepted.sentence()) + " (" + fault + ")";
  const auto left = accepted.faults_left();
  if (left > 0) message += "; " + to_string(left) + " more and the match is forfeited";
  return {.level = Level::warning,
          .name = "default_taken",
          .message = message,
          .fields = with(of_decision(&match, accepted.number()),
                         {text("fault", fault), number("faults_left", left), text("sentence", accepted.sentence())})};
}

LogEvent forfeited(const Match& match, const v1::Forfeited& notice) {
  const string fault = name_of(notice.fault());
  return {.level = Level::warning,
          .name = "forfeited",
          .message = "match " + match.id() + " is forfeited: " + or_none(notice.sentence()) + " (" + fault + ")",
          .fields = {text("match", match.id()), text("fault", fault), text("sentence", notice.sentence())}};
}

LogEvent failed(const Match& match, const v1::Decision* asked, bool at_start, const Failure& failure) {
  string where = in_match(&match) + ": the bot failed";
  if (at_start) where += " at its start, and default answers are taken";
  if (asked) where = at_decision(&match, asked->number()) + ": the bot failed, and the default answer is taken";
  LogEvent event{.level = Level::error, .name = "failed", .message = where + ": " + failure.error};
  event.fields.push_back(text("match", match.id()));
  if (asked) event.fields.push_back(number("decision", asked->number()));
  event.fields.push_back(text("error", failure.error));
  if (failure.trace.empty()) return event;
  event.fields.push_back(text("trace", failure.trace));
  event.details = failure.trace;
  if (!asked) return event;
  event.fields.push_back({"asked", json::message(*asked)});
  event.details += "\nthe decision: " + event.fields.back().json;
  return event;
}

LogEvent match_ended(const Match& match, const v1::MatchEnd& end) {
  LogEvent event{.name = "match_ended", .fields = {text("match", match.id())}};
  string words = "void", forfeits;
  if (end.has_outcome()) {
    const auto& placings = end.outcome().placings();
    const bool is_placed = match.seat() < static_cast<std::uint32_t>(placings.size());
    const auto placing = is_placed ? placings.Get(static_cast<int>(match.seat())) : 0;
    words = is_placed ? "placing " + to_string(placing) : "no placing";
    if (is_placed) event.fields.push_back(number("placing", placing));
  } else {
    event.fields.push_back(text("void", end.sentence()));
  }
  std::vector<string> listed;
  for (const v1::Forfeit& forfeit : end.forfeits()) {
    const string fault = name_of(forfeit.fault());
    forfeits += ", seat " + to_string(forfeit.seat()) + " forfeited (" + fault + ")";
    listed.push_back(json::object({number("seat", forfeit.seat()), text("fault", fault)}));
  }
  if (!listed.empty()) event.fields.push_back({"forfeits", json::list(listed)});
  event.message = "match " + match.id() + " ended: " + words + forfeits;
  if (!end.has_outcome()) event.message += ": " + or_none(end.sentence());
  return event;
}

LogEvent connection_broke(const string& reason, milliseconds pause) {
  return {.name = "connection_broke",
          .message = "the connection broke (" + reason + ")" + again(pause),
          .fields = {text("reason", reason), seconds(pause)}};
}

LogEvent gone_down(milliseconds pause) {
  return {.name = "gone_down", .message = "the server has gone down" + again(pause), .fields = {seconds(pause)}};
}

LogEvent goodbye_for_now(const string& sentence, milliseconds pause) {
  return {.name = "goodbye_for_now",
          .message = "the server said goodbye for now: " + or_none(sentence) + again(pause),
          .fields = {text("sentence", sentence), seconds(pause)}};
}

LogEvent told_to_stop() {
  return {.name = "told_to_stop",
          .message = "told to stop: running matches are played to their end; once more to leave at once"};
}

LogEvent goodbye(const string& sentence) {
  return {.name = "goodbye",
          .message = "the server said goodbye: " + or_none(sentence),
          .fields = {text("sentence", sentence)}};
}

LogEvent unreachable(const string& address, const string& reason) {
  return {.level = Level::error,
          .name = "unreachable",
          .message = "the server at " + address + " does not answer (" + reason + ")",
          .fields = {text("address", address), text("reason", reason)}};
}

LogEvent session_ended(const string& address, grpc::StatusCode status, const string& sentence) {
  const string name = name_of(status);
  return {.level = Level::error,
          .name = "session_ended",
          .message = "the server at " + address + " ended the session (" + name + "): " + or_none(sentence),
          .fields = {text("address", address), text("status", name), text("sentence", sentence)}};
}

}  // namespace ordago::events
