#include "mailbox.h"

#include <gtest/gtest.h>

#include <thread>

namespace ordago {
namespace {

template <typename Kind>
bool is_next(Mailbox& mailbox) {
  const auto mail = mailbox.next_until(std::nullopt);
  return std::holds_alternative<Kind>(*mail);
}

TEST(Mailbox, HandsOutInOrderAndOrdersFirstAndOnce) {
  Mailbox mailbox;
  mailbox.put(Opened{});
  mailbox.put(Ended{});
  mailbox.retire();
  EXPECT_TRUE(is_next<RetireOrder>(mailbox));
  EXPECT_TRUE(is_next<Opened>(mailbox));
  mailbox.leave();
  EXPECT_TRUE(is_next<LeaveOrder>(mailbox));
  EXPECT_TRUE(is_next<Ended>(mailbox));
  EXPECT_FALSE(mailbox.next_until(Time{}));
}

TEST(Mailbox, ForgetsTheOrderToRetireWhereItIsLeaveOrder) {
  Mailbox mailbox;
  mailbox.retire();
  mailbox.leave();
  EXPECT_TRUE(is_next<LeaveOrder>(mailbox));
  EXPECT_FALSE(mailbox.next_until(Time{}));
}

TEST(Mailbox, HoldsUpAServerThatFloodsABotThatThinks) {
  Mailbox mailbox;
  constexpr int count = 3000;
  std::jthread server([&mailbox] {
    for (int number = 0; number < count; ++number) mailbox.put(Arrival{});
  });
  for (int number = 0; number < count; ++number) EXPECT_TRUE(is_next<Arrival>(mailbox));
  EXPECT_FALSE(mailbox.next_until(Time{}));
}

TEST(Mailbox, ReleasesAThreadThatWaitsForRoomWhenTheBotLeaves) {
  Mailbox mailbox;
  std::jthread server([&mailbox] {
    for (int number = 0; number < 3000; ++number) mailbox.put(Arrival{});
  });
  mailbox.leave();
}

}  // namespace
}  // namespace ordago
