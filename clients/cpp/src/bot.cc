#include "ordago/bot.h"

#include <algorithm>

namespace ordago {

Answer Bot::refused(const v1::Decision& decision, const v1::Refused&) { return decision.default_answer(); }

void Bot::forfeited(const v1::Forfeited&) {}

void Bot::ended(const v1::MatchEnd&) {}

std::optional<std::chrono::milliseconds> Bot::time_left() const {
  using std::chrono::milliseconds;
  if (!deadline_) return std::nullopt;
  return std::max(milliseconds(0), std::chrono::floor<milliseconds>(*deadline_ - now_()));
}

}  // namespace ordago
