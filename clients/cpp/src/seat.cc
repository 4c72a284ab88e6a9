#include "seat.h"

#include <algorithm>
#include <utility>

#include "json.h"

namespace ordago {
namespace {

// At the last strike the default answer is taken, even if there is time left.
bool leaves_it_open(const v1::Refused& refused) {
  const bool is_last_strike = !refused.rule().empty() && refused.strikes_left() == 0;
  return refused.time_left_ms() > 0 && !is_last_strike;
}

std::optional<Time> deadline_of(const v1::Decision& decision, Time arrived) {
  if (!decision.has_clock()) return std::nullopt;
  return arrived + milliseconds(decision.clock().decision_ms()) + milliseconds(decision.clock().bank_ms());
}

void answer(Mind& mind, Call& call) {
  if (call.is_closed) return;
  const v1::Refused* const refusal = call.refusal ? &*call.refusal : nullptr;
  call.answer = mind.answer(*call.decision, refusal, call.deadline);
}

}  // namespace

void Call::run(Mind& mind) {
  const Time begin = mind.now();
  act(mind, *this);
  took = std::chrono::round<milliseconds>(mind.now() - begin);
  failure = mind.take_failure();
}

std::string Call::line(const v1::MatchStart& start) const {
  std::vector<Field> fields{{"start", json::message(start)}, {"decision", json::message(*decision)}};
  if (refusal) fields.push_back({"refused", json::message(*refusal)});
  fields.push_back({"answer", json::message(*answer)});
  fields.push_back({"milliseconds", std::to_string(took.count())});
  if (failure) fields.push_back({"error", json::quoted(failure->error)});
  return json::object(fields);
}

Seat::Seat(Match match, const Wishes& wishes, const Factory& factory, std::function<Time()> now)
    : mind_(std::move(match), wishes.on_error, std::move(now)) {
  tell([factory](Mind& mind) { mind.make(factory); });
}

bool Seat::carries_on(const v1::MatchStart& start) const {
  return start.match_id() == match().id() && std::uint64_t{start.last_decision()} + 1 >= number_;
}

std::optional<Reply> Seat::decide(const v1::Decision& decision, Time arrived) {
  open_ = std::make_shared<const v1::Decision>(decision);
  asked_ = arrived;
  if (decision.number() != number_) {
    number_ = decision.number();
    answer_.reset();
    drop();
  }
  if (answer_) return reply();
  if (!is_asked()) ask(std::nullopt, deadline_of(decision, arrived));
  return std::nullopt;
}

void Seat::decide_again(const v1::Refused& refused, Time arrived) {
  if (!open_ || open_->number() != refused.number() || !leaves_it_open(refused) || is_asked()) return;
  const bool has_clock = open_->has_clock();
  ask(refused, has_clock ? std::optional(arrived + milliseconds(refused.time_left_ms())) : std::nullopt);
}

void Seat::ask(std::optional<v1::Refused> refusal, std::optional<Time> deadline) {
  auto call = std::make_shared<Call>();
  call->act = answer;
  call->decision = open_;
  call->refusal = std::move(refusal);
  call->deadline = deadline;
  waiting_.push_back(std::move(call));
}

void Seat::tell(std::function<void(Mind&)> tell) {
  auto call = std::make_shared<Call>();
  call->act = [tell = std::move(tell)](Mind& mind, Call&) { tell(mind); };
  waiting_.push_back(std::move(call));
}

bool Seat::is_asked() const {
  const auto is_open = [](const auto& call) { return call && call->decision && !call->is_closed; };
  return is_open(running_) || std::ranges::any_of(waiting_, is_open);
}

void Seat::drop() {
  if (running_) running_->is_closed = true;
  std::erase_if(waiting_, [](const auto& call) { return call->decision != nullptr; });
}

bool Seat::close(std::uint32_t number) {
  if (open_ && open_->number() == number) {
    open_.reset();
    drop();
  }
  const bool is_news = number > closed_;
  closed_ = std::max(number, closed_);
  return is_news;
}

bool Seat::forfeited(const v1::Forfeited& notice) {
  drop();
  tell([notice](Mind& mind) { mind.forfeited(notice); });
  return !std::exchange(is_forfeited_, true);
}

void Seat::ended(const v1::MatchEnd& end) {
  drop();
  tell([end](Mind& mind) { mind.ended(end); });
}

std::shared_ptr<Call> Seat::next() {
  if (running_ || waiting_.empty()) return nullptr;
  running_ = std::move(waiting_.front());
  waiting_.pop_front();
  return running_;
}

std::optional<Reply> Seat::finish(const Call& call) {
  running_.reset();
  if (!call.answer || call.is_closed) return std::nullopt;
  answer_ = call.answer;
  return reply();
}

std::optional<Reply> Seat::reply() const {
  if (!open_) return std::nullopt;
  v1::Choice choice;
  choice.set_match_handle(open_->match_handle());
  choice.set_number(open_->number());
  *choice.mutable_answer() = *answer_;
  return Reply{std::move(choice), asked_, match().id()};
}

}  // namespace ordago
