#include "ordago/answer.h"

namespace ordago {

Answer complete(const v1::LegalAction& action, Random& random) {
  Answer answer(action);
  if (action.has_amount()) {
    answer.amount(static_cast<std::int32_t>(random.between(action.amount().min(), action.amount().max())));
  }
  for (const v1::Pick& pick : action.picks()) {
    answer.cards(random.sample(pick.cards(), random.between(pick.min(), pick.max())));
  }
  return answer;
}

}  // namespace ordago
