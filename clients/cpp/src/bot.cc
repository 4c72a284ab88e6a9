#include "ordago/bot.h"

namespace ordago {

Answer Bot::refused(const v1::Decision& decision, const v1::Refused&) { return decision.default_answer(); }

void Bot::forfeited(const v1::Forfeited&) {}

void Bot::ended(const v1::MatchEnd&) {}

}  // namespace ordago
