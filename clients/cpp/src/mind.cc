#include "mind.h"

#include <cxxabi.h>

#include <stdexcept>
#include <utility>

#include "crash.h"
#include "trace.h"

namespace ordago {
namespace {

bool names_an_action(const v1::Answer& answer, const v1::Decision& decision) {
  return answer.action_choice_case() != v1::Answer::ACTION_CHOICE_NOT_SET ||
         answer.SerializeAsString() == decision.default_answer().SerializeAsString();
}

}  // namespace

void Mind::make(const Factory& factory) {
  attempt([&] {
    bot_ = factory(match_);
    if (!bot_) throw std::logic_error("the factory made no bot");
    bot_->now_ = now_;
  });
}

v1::Answer Mind::answer(const v1::Decision& decision, const v1::Refused* refusal, std::optional<Time> deadline) {
  v1::Answer answer = decision.default_answer();
  if (!bot_) return answer;
  if (!refusal) restart_chance(*bot_, decision);
  attempt([&] { answer = ask(*bot_, decision, refusal, deadline); }, &decision);
  return answer;
}

void Mind::restart_chance(Bot& bot, const v1::Decision& decision) {
  bot.random_ = Random(bot.match_.seed(), decision.number());
}

v1::Answer Mind::ask(Bot& bot, const v1::Decision& decision, const v1::Refused* refusal, std::optional<Time> deadline) {
  bot.deadline_ = deadline;
  v1::Answer answer = (refusal ? bot.refused(decision, *refusal) : bot.choose(decision)).message();
  if (!names_an_action(answer, decision)) throw std::logic_error("its answer names no action");
  return answer;
}

void Mind::forfeited(const v1::Forfeited& notice) {
  if (bot_) attempt([&] { bot_->forfeited(notice); });
}

void Mind::ended(const v1::MatchEnd& end) {
  if (bot_) attempt([&] { bot_->ended(end); });
}

void Mind::attempt(const std::function<void()>& call, const v1::Decision* asked) {
  const CallPlace place(match_.id(), asked);
  if (on_error_ == OnError::stop) return call();
  std::optional<ThrowTracer> tracer;
  if (!has_failed_) tracer.emplace();  // Only the first failure is shown with its stack, which costs time.
  try {
    call();
  } catch (const std::exception& error) {
    fail(error.what());
  } catch (...) {
    fail(demangled(abi::__cxa_current_exception_type()->name()));
  }
}

void Mind::fail(std::string error) {
  failure_ = {std::move(error), std::exchange(has_failed_, true) ? "" : last_throw()};
}

}  // namespace ordago
