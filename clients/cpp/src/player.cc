#include "ordago/player.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "seat.h"
#include "words.h"

namespace ordago {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t contract_version = 1;
// The capability of a bot that is sent no Accepted for an answer that stands.
constexpr const char* tacit_acceptance = "tacit_acceptance";
// Those of the contract (docs/protocol.md, broken connections).
constexpr milliseconds first_pause = 250ms;
constexpr milliseconds longest_pause = 8s;
constexpr milliseconds usual_patience = 30s;

v1::Hello hello_of(const Wishes& wishes, const Log& log) {
  v1::Hello hello;
  hello.set_min_version(contract_version);
  hello.set_max_version(contract_version);
  hello.mutable_sdk()->set_name("ordago cpp");
  hello.mutable_sdk()->set_version(ORDAGO_VERSION);
  hello.mutable_bot()->set_name(wishes.name);
  hello.mutable_bot()->set_version(wishes.version);
  hello.set_nonce(wishes.nonce);
  for (const std::string& game : wishes.games) hello.add_games(game);
  hello.set_max_open_decisions(wishes.max_open_decisions);
  hello.set_max_matches(wishes.max_matches);
  hello.set_matches_in_all(wishes.matches_in_all);
  // A log of all messages shall have the cost of each answer too.
  if (!log.verbose()) hello.add_capabilities(tacit_acceptance);
  return hello;
}

/// The reason for a loss, for people; never empty.
std::string reason_of(const Loss& loss) {
  if (!loss.sentence.empty()) return loss.sentence;
  return loss.status == grpc::StatusCode::OK ? "the stream ended" : status_name(loss.status);
}

bool is_broken(grpc::StatusCode status) {
  switch (status) {
    case grpc::StatusCode::OK:  // Without a Goodbye, an orderly end too is a broken connection.
    case grpc::StatusCode::UNAVAILABLE:
    case grpc::StatusCode::UNKNOWN:
    case grpc::StatusCode::INTERNAL:
    case grpc::StatusCode::CANCELLED:
      return true;
    default:
      return false;
  }
}

milliseconds scaled(milliseconds pause, double factor) {
  return std::chrono::round<milliseconds>(std::chrono::duration<double, std::milli>(pause) * factor);
}

std::uint32_t whole_milliseconds(Time::duration thought) {
  const auto count = std::chrono::round<milliseconds>(thought).count();
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(count, 0, std::numeric_limits<std::uint32_t>::max()));
}

std::string in_match(const Seat* seat, std::uint32_t number) {
  return (seat ? "match " + seat->match().id() : "a match that is over") + ", decision " + std::to_string(number);
}

}  // namespace

Player::Player(Factory factory, const Wishes& wishes, std::function<Time()> now, const Log& log, Keep keep)
    : factory_(std::move(factory)),
      now_(std::move(now)),
      log_(log),
      hello_(hello_of(wishes, log)),
      pause_(first_pause) {
  if (keep) receipts_.emplace(std::move(keep));
}

Player::~Player() = default;

void Player::learn(const v1::DescribeEventResponse& described) {
  if (receipts_) receipts_->describe(described, hello_.nonce());
}

v1::PlayRequest Player::connect() {
  alive_ = open_ = has_said_retire_ = draining_ = false;
  goodbye_for_now_.reset();
  retry_after_ = 0ms;
  if (hello_.has_resume()) hello_.mutable_resume()->clear_matches();
  for (const auto& [handle, seat] : seats_) {
    seat->disconnect();
    if (!hello_.has_resume()) continue;
    v1::KnownMatch& known = *hello_.mutable_resume()->add_matches();
    known.set_match_handle(handle);
    known.set_last_decision(seat->number());
  }
  v1::PlayRequest frame;
  *frame.add_messages()->mutable_hello() = hello_;
  went(frame);
  return frame;
}

v1::PlayRequest Player::receive(const v1::PlayResponse& frame, Time arrived) {
  alive_ = true;
  std::vector<Reply> replies;
  for (const v1::ServerMessage& message : frame.messages()) {
    if (auto reply = take(message, arrived)) replies.push_back(*std::move(reply));
  }
  // All answers to a frame are sent together, so the time of each ends with the last.
  const Time sent = now_();
  v1::PlayRequest answer;
  for (Reply& reply : replies) {
    reply.choice.set_thought_ms(whole_milliseconds(sent - reply.asked));
    *answer.add_messages()->mutable_choice() = std::move(reply.choice);
  }
  ask_for_no_more(answer);
  went(answer);
  return answer;
}

v1::PlayRequest Player::retire() {
  retiring_ = true;
  v1::PlayRequest frame;
  ask_for_no_more(frame);
  went(frame);
  return frame;
}

void Player::ask_for_no_more(v1::PlayRequest& frame) {
  if (!retiring_ || has_said_retire_ || !open_) return;
  has_said_retire_ = true;
  frame.add_messages()->mutable_retire();
}

v1::PlayRequest Player::leave() {
  v1::PlayRequest frame;
  if (open_) frame.add_messages()->mutable_goodbye()->set_sentence("the bot was told to stop");
  open_ = false;
  went(frame);
  return frame;
}

std::variant<Pause, Over> Player::lost(const Loss& loss, Time now, double jitter) {
  open_ = false;
  const milliseconds retry_after = std::max(retry_after_, loss.retry_after);
  const bool begins_anew = needs_a_new_session(loss);
  if (begins_anew) lose_session(loss.sentence);
  const std::string status = "ended the session (" + status_name(loss.status) + "): ";
  // A status that names an error outweighs the Goodbye before it.
  if (farewell_ && !begins_anew && !is_broken(loss.status)) return Over{3, status + or_none(*farewell_)};
  if (farewell_) return Over{0, "said goodbye: " + or_none(*farewell_)};
  if (!begins_anew && !is_broken(loss.status) && retry_after == 0ms) return Over{3, status + or_none(loss.sentence)};
  if (alive_ || begins_anew || retry_after > 0ms || !last_sign_) {
    last_sign_ = now;
    pause_ = first_pause;
  }
  if (now - *last_sign_ > std::max(usual_patience, resume_window_)) {
    return Over{3, "does not answer (" + reason_of(loss) + ")", true};
  }
  return Pause{next_pause(retry_after, jitter), what_happened(loss)};
}

std::string Player::what_happened(const Loss& loss) const {
  if (goodbye_for_now_) return "the server said goodbye for now: " + or_none(*goodbye_for_now_);
  if (draining_ && is_broken(loss.status)) return "the server has gone down";
  return "the connection broke (" + reason_of(loss) + ")";
}

// The session may be what was refused: nothing but its token was looked at.
bool Player::needs_a_new_session(const Loss& loss) const {
  const bool is_not_let_in =
      loss.status == grpc::StatusCode::UNAUTHENTICATED || loss.status == grpc::StatusCode::PERMISSION_DENIED;
  return is_not_let_in && !alive_ && hello_.has_resume();
}

milliseconds Player::next_pause(milliseconds retry_after, double jitter) {
  if (retry_after > 0ms) return scaled(retry_after, 1 + jitter / 4);
  return scaled(std::exchange(pause_, std::min(2 * pause_, longest_pause)), 1 - jitter / 2);
}

// A bot that takes no more seats needs no new session: then this is the farewell.
void Player::lose_session(const std::string& sentence) {
  const std::uint32_t in_all = hello_.matches_in_all();
  hello_.clear_resume();
  resume_window_ = 0ms;
  if (retiring_ || (in_all > 0 && begun_ >= in_all)) farewell_ = sentence;
  hello_.set_matches_in_all(in_all - std::min(in_all, begun_));
  begun_ = 0;
}

// A message of an unknown kind has no body, and falls through like those that need no answer.
std::optional<Reply> Player::take(const v1::ServerMessage& message, Time arrived) {
  if (log_.verbose()) log_.debug("came: " + in_one_line(message));
  switch (message.body_case()) {
    case v1::ServerMessage::kDecision:
      return decide(message.decision(), arrived);
    case v1::ServerMessage::kRefused:
      return refused(message.refused());
    case v1::ServerMessage::kAccepted:
      accepted(message.accepted());
      return std::nullopt;
    case v1::ServerMessage::kMatchStart:
      begin(message.match_start());
      return std::nullopt;
    case v1::ServerMessage::kMatchEnd:
      end(message.match_end());
      return std::nullopt;
    case v1::ServerMessage::kForfeited:
      forfeited(message.forfeited());
      return std::nullopt;
    default:
      take_of_session(message);
      return std::nullopt;
  }
}

void Player::take_of_session(const v1::ServerMessage& message) {
  if (message.has_welcome()) welcomed(message.welcome());
  if (message.has_draining()) {
    draining_ = true;
    log_.info("the server is going down: " + or_none(message.draining().sentence()));
  }
  if (message.has_event_notice()) noticed(message.event_notice());
  if (message.has_goodbye()) dismissed(message.goodbye());
}

void Player::noticed(const v1::EventNotice& notice) {
  event_begun_ = notice.matches_begun();
  event_planned_ = notice.matches_planned();
  log_.info("event: " + or_none(notice.sentence()));
}

void Player::welcomed(const v1::Welcome& welcome) {
  log_.info((welcome.resumed() ? "session resumed; games: " : "connected; games: ") + games_words(welcome));
  if (!welcome.resumed()) seats_.clear();
  open_ = true;
  hello_.mutable_resume()->set_session_id(welcome.session_id());
  hello_.mutable_resume()->set_resume_token(welcome.resume_token());
  resume_window_ = milliseconds(welcome.limits().resume_window_ms());
}

void Player::dismissed(const v1::Goodbye& goodbye) {
  open_ = false;
  if (goodbye.retry_after_ms() == 0 || goodbye.fault() != v1::FAULT_UNSPECIFIED) {
    farewell_ = goodbye.sentence();
    return;
  }
  goodbye_for_now_ = goodbye.sentence();
  retry_after_ = milliseconds(goodbye.retry_after_ms());
  lose_session(goodbye.sentence());
}

// After a resume a match that goes on keeps its bot, with all its state.
void Player::begin(const v1::MatchStart& start) {
  const Seat* known = seat_of(start.match_handle());
  const bool goes_on = known && known->carries_on(start);
  log_.info("match " + start.match_id() + " of " + start.game() + (goes_on ? " goes on" : " begins") + ", seat " +
            std::to_string(start.seat()) + (goes_on ? "" : counted()));
  if (goes_on) return;
  if (!known) ++begun_;
  const Match match(start);
  seats_[start.match_handle()] = std::make_unique<Seat>(match, factory_(match));
  if (receipts_) receipts_->begin(start);
}

// Each notice of the server corrects the count.
std::string Player::counted() {
  ++event_begun_;
  if (event_planned_ == 0) return "";
  return ", match " + std::to_string(event_begun_) + " of " + std::to_string(event_planned_);
}

std::optional<Reply> Player::decide(const v1::Decision& decision, Time arrived) {
  Seat* seat = seat_of(decision.match_handle());
  if (!seat) {
    log_.warning(in_match(seat, decision.number()) + ": ignored");
    return std::nullopt;
  }
  Reply reply = seat->decide(decision, arrived);
  retiring_ |= seat->retiring();
  return reply;
}

std::optional<Reply> Player::refused(const v1::Refused& refused) {
  Seat* seat = seat_of(refused.match_handle());
  // A faulty bot may have every answer of a match refused: its author has to see it, but once for each cause.
  const std::string cause = cause_of(refused);
  if (!seat || seat->is_first_refusal(cause)) {
    log_.warning(in_match(seat, refused.number()) + ": refused: " + or_none(refused.sentence()) + " (" + cause + ")");
  }
  if (!seat) return std::nullopt;
  auto reply = seat->decide_again(refused);
  retiring_ |= seat->retiring();
  return reply;
}

void Player::accepted(const v1::Accepted& accepted) {
  Seat* seat = seat_of(accepted.match_handle());
  if (!seat || !seat->close(accepted.number())) return;
  const std::string where = in_match(seat, accepted.number());
  if (log_.verbose()) log_.debug(where + ": " + cost_words(accepted));
  if (accepted.fault() != v1::FAULT_UNSPECIFIED) {
    log_.warning(where + ": the default answer was taken: " + default_words(accepted));
  }
}

void Player::forfeited(const v1::Forfeited& notice) {
  Seat* seat = seat_of(notice.match_handle());
  if (!seat) return;
  log_.warning("match " + seat->match().id() + " is forfeited: " + or_none(notice.sentence()) + " (" +
               fault_words(notice.fault()) + ")");
  seat->forfeited(notice);
  retiring_ |= seat->retiring();
}

void Player::end(const v1::MatchEnd& end) {
  const auto ended = seats_.extract(end.match_handle());
  if (ended.empty()) return;
  Seat& seat = *ended.mapped();
  if (receipts_) receipts_->end(seat.match().start(), end);
  log_.info("match " + seat.match().id() + " ended: " + end_words(end, seat.match().seat()));
  seat.ended(end);
  retiring_ |= seat.retiring();
}

Seat* Player::seat_of(std::uint32_t handle) {
  const auto found = seats_.find(handle);
  return found == seats_.end() ? nullptr : found->second.get();
}

void Player::went(const v1::PlayRequest& frame) const {
  if (!log_.verbose()) return;
  for (const v1::BotMessage& message : frame.messages()) log_.debug("went: " + in_one_line(message));
}

}  // namespace ordago
