#include "ordago/player.h"

#include <algorithm>
#include <limits>
#include <system_error>
#include <utility>

#include "events.h"
#include "seat.h"
#include "summary.h"

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
  return loss.status == grpc::StatusCode::OK ? "the stream ended" : events::name_of(loss.status);
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

}  // namespace

Player::Player(Factory factory, const Wishes& wishes, const Log& log, Surroundings surroundings)
    : factory_(std::move(factory)),
      wishes_(wishes),
      log_(log),
      surroundings_(std::move(surroundings)),
      summary_(std::make_unique<Summary>()),
      hello_(hello_of(wishes, log)),
      pause_(first_pause) {
  if (surroundings_.receipts) receipts_.emplace(surroundings_.receipts);
}

Player::~Player() = default;

void Player::learn(const v1::DescribeEventResponse& described) {
  if (receipts_) receipts_->describe(described, hello_.nonce());
}

bool Player::is_clean() const { return summary_->is_clean(); }

void Player::sum_up() const {
  if (const auto event = summary_->event()) log_.write(*event);
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
  for (const v1::ServerMessage& message : frame.messages()) take(message, arrived);
  return flush();
}

v1::PlayRequest Player::collect() {
  while (true) {
    std::vector<std::pair<SharedSeat, std::shared_ptr<Call>>> finished;
    {
      const std::scoped_lock lock(finishing_);
      finished.swap(finished_);
    }
    if (finished.empty()) return flush();
    for (const auto& [seat, call] : finished) finish(seat, *call);
  }
}

v1::PlayRequest Player::flush() {
  // All answers to a frame are sent together, so the time of each ends with the last.
  const Time sent = surroundings_.now();
  v1::PlayRequest frame;
  for (Reply& reply : std::exchange(replies_, {})) {
    const auto thought = whole_milliseconds(sent - reply.asked);
    summary_->thought(reply.match_id, reply.choice.number(), thought);
    reply.choice.set_thought_ms(thought);
    *frame.add_messages()->mutable_choice() = std::move(reply.choice);
  }
  ask_for_no_more(frame);
  went(frame);
  return frame;
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

std::variant<Pause, Over> Player::lost(const Loss& loss, Time now, double jitter, const std::string& address) {
  open_ = false;
  const milliseconds retry_after = std::max(retry_after_, loss.retry_after);
  const bool begins_anew = needs_a_new_session(loss);
  if (begins_anew) lose_session(loss.sentence);
  const bool is_final = !begins_anew && !is_broken(loss.status);
  // A status that names an error outweighs the Goodbye before it.
  if (farewell_ && is_final) return Over{3, events::session_ended(address, loss.status, *farewell_)};
  if (farewell_) return Over{0, events::goodbye(*farewell_)};
  if (is_final && retry_after == 0ms) return Over{3, events::session_ended(address, loss.status, loss.sentence)};
  if (alive_ || begins_anew || retry_after > 0ms || !last_sign_) {
    last_sign_ = now;
    pause_ = first_pause;
  }
  if (now - *last_sign_ > std::max(usual_patience, resume_window_)) {
    return Over{3, events::unreachable(address, reason_of(loss))};
  }
  const milliseconds pause = next_pause(retry_after, jitter);
  return Pause{pause, what_happened(loss, pause)};
}

LogEvent Player::what_happened(const Loss& loss, milliseconds pause) const {
  if (goodbye_for_now_) return events::goodbye_for_now(*goodbye_for_now_, pause);
  if (draining_ && is_broken(loss.status)) return events::gone_down(pause);
  return events::connection_broke(reason_of(loss), pause);
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
void Player::take(const v1::ServerMessage& message, Time arrived) {
  if (log_.verbose()) log_.write(events::came(message));
  switch (message.body_case()) {
    case v1::ServerMessage::kDecision:
      return decide(message.decision(), arrived);
    case v1::ServerMessage::kRefused:
      return refused(message.refused(), arrived);
    case v1::ServerMessage::kAccepted:
      return accepted(message.accepted());
    case v1::ServerMessage::kMatchStart:
      return begin(message.match_start());
    case v1::ServerMessage::kMatchEnd:
      return end(message.match_end());
    case v1::ServerMessage::kForfeited:
      return forfeited(message.forfeited());
    default:
      return take_of_session(message);
  }
}

void Player::take_of_session(const v1::ServerMessage& message) {
  if (message.has_welcome()) welcomed(message.welcome());
  if (message.has_draining()) {
    draining_ = true;
    log_.write(events::draining(message.draining().sentence()));
  }
  if (message.has_event_notice()) noticed(message.event_notice());
  if (message.has_announcement()) log_.write(events::announcement(message.announcement().sentence()));
  if (message.has_goodbye()) dismissed(message.goodbye());
}

void Player::noticed(const v1::EventNotice& notice) {
  event_begun_ = notice.matches_begun();
  event_planned_ = notice.matches_planned();
  log_.write(events::event_notice(notice.sentence()));
}

void Player::welcomed(const v1::Welcome& welcome) {
  log_.write(events::connected(welcome));
  if (!welcome.resumed()) drop_seats();
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

void Player::drop_seats() {
  for (const auto& [handle, seat] : seats_) seat->drop();
  seats_.clear();
}

// After a resume a match that goes on keeps its bot, with all its state.
void Player::begin(const v1::MatchStart& start) {
  const SharedSeat known = seat_of(start.match_handle());
  if (known && known->carries_on(start)) return log_.write(events::match_goes_on(start));
  // Each notice of the server corrects the count.
  log_.write(events::match_begins(start, {++event_begun_, event_planned_}));
  if (known) known->drop();
  if (!known) ++begun_;
  const auto seat = std::make_shared<Seat>(Match(start), wishes_, factory_, surroundings_.now);
  seats_[start.match_handle()] = seat;
  if (receipts_) receipts_->begin(start);
  advance(seat);
}

void Player::decide(const v1::Decision& decision, Time arrived) {
  const SharedSeat seat = seat_of(decision.match_handle());
  if (!seat) {
    const std::string number = std::to_string(decision.number());
    return log_.write(events::note(Level::warning, "a match that is over, decision " + number + ": ignored"));
  }
  if (auto reply = seat->decide(decision, arrived)) replies_.push_back(*std::move(reply));
  advance(seat);
}

void Player::refused(const v1::Refused& refused, Time arrived) {
  const SharedSeat seat = seat_of(refused.match_handle());
  // A faulty bot may have every answer of a match refused: its author has to see it, but once for each cause.
  const std::string cause = events::cause_of(refused);
  summary_->refused(cause);
  if (!seat || seat->is_first_refusal(cause)) {
    log_.write(events::refused(seat ? &seat->match() : nullptr, refused, cause));
  }
  if (!seat) return;
  seat->decide_again(refused, arrived);
  advance(seat);
}

void Player::accepted(const v1::Accepted& accepted) {
  const SharedSeat seat = seat_of(accepted.match_handle());
  if (!seat || !seat->close(accepted.number())) return;
  if (log_.verbose()) log_.write(events::cost(seat->match(), accepted));
  if (accepted.fault() == v1::FAULT_UNSPECIFIED) return;
  summary_->default_taken(events::name_of(accepted.fault()));
  log_.write(events::default_taken(seat->match(), accepted));
}

void Player::forfeited(const v1::Forfeited& notice) {
  const SharedSeat seat = seat_of(notice.match_handle());
  if (!seat) return;
  log_.write(events::forfeited(seat->match(), notice));
  if (seat->forfeited(notice)) summary_->forfeited();
  advance(seat);
}

void Player::end(const v1::MatchEnd& end) {
  const auto ended = seats_.extract(end.match_handle());
  if (ended.empty()) return;
  const SharedSeat seat = ended.mapped();
  const Match& match = seat->match();
  if (receipts_) receipts_->end(match.start(), end);
  log_.write(events::match_ended(match, end));
  const auto& placings = end.outcome().placings();
  const bool is_placed = match.seat() < static_cast<std::uint32_t>(placings.size());
  summary_->ended(!end.has_outcome(), is_placed ? placings.Get(static_cast<int>(match.seat())) : 0);
  seat->ended(end);
  advance(seat);
}

void Player::advance(const SharedSeat& seat) {
  const std::shared_ptr<Call> call = seat->next();
  if (!call) return;
  if (!surroundings_.executor) {
    call->run(seat->mind());
    return finish(seat, *call);
  }
  surroundings_.executor([this, seat, call] {
    call->run(seat->mind());
    const std::scoped_lock lock(finishing_);
    finished_.emplace_back(seat, call);
  });
}

void Player::finish(const SharedSeat& seat, const Call& call) {
  retiring_ |= seat->mind().retiring();
  if (call.failure) failed(*seat, call);
  if (call.answer && seat->mind().has_bot()) keep_decision(*seat, call);
  if (auto reply = seat->finish(call)) replies_.push_back(*std::move(reply));
  advance(seat);
}

void Player::failed(Seat& seat, const Call& call) {
  summary_->failed();
  log_.write(events::failed(seat.match(), call.decision.get(), !seat.mind().has_bot(), *call.failure));
}

void Player::keep_decision(Seat& seat, const Call& call) {
  if (!surroundings_.decisions) return;
  try {
    surroundings_.decisions(call.line(seat.match().start()));
  } catch (const std::system_error& error) {
    surroundings_.decisions = nullptr;
    log_.write(events::note(Level::warning, std::string("decisions are not logged any more: ") + error.what()));
  }
}

Player::SharedSeat Player::seat_of(std::uint32_t handle) const {
  const auto found = seats_.find(handle);
  return found == seats_.end() ? nullptr : found->second;
}

void Player::went(const v1::PlayRequest& frame) const {
  if (!log_.verbose()) return;
  for (const v1::BotMessage& message : frame.messages()) log_.write(events::went(message));
}

}  // namespace ordago
