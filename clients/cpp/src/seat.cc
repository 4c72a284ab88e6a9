#include "seat.h"

#include <algorithm>
#include <utility>

namespace ordago {
namespace {

// At the last strike the default answer is taken, even if there is time left.
bool leaves_it_open(const v1::Refused& refused) {
  const bool is_last_strike = !refused.rule().empty() && refused.strikes_left() == 0;
  return refused.time_left_ms() > 0 && !is_last_strike;
}

}  // namespace

Seat::Seat(Match match, std::unique_ptr<Bot> bot) : match_(std::move(match)), bot_(std::move(bot)) {}

bool Seat::carries_on(const v1::MatchStart& start) const {
  return start.match_id() == match_.id() && std::uint64_t{start.last_decision()} + 1 >= number_;
}

Reply Seat::decide(const v1::Decision& decision, Time arrived) {
  open_ = decision;
  asked_ = arrived;
  if (decision.number() != number_) {
    bot_->random_ = Random(match_.seed(), decision.number());
    answer_ = bot_->choose(decision).message();
    number_ = decision.number();
  }
  return reply();
}

std::optional<Reply> Seat::decide_again(const v1::Refused& refused) {
  if (!open_ || open_->number() != refused.number() || !leaves_it_open(refused)) return std::nullopt;
  answer_ = bot_->refused(*open_, refused).message();
  return reply();
}

bool Seat::close(std::uint32_t number) {
  if (open_ && open_->number() == number) open_.reset();
  const bool is_news = number > closed_;
  closed_ = std::max(number, closed_);
  return is_news;
}

Reply Seat::reply() const {
  v1::Choice choice;
  choice.set_match_handle(open_->match_handle());
  choice.set_number(open_->number());
  *choice.mutable_answer() = answer_;
  return {std::move(choice), asked_};
}

}  // namespace ordago
