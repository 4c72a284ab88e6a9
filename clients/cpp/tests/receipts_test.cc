#include "ordago/receipts.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

namespace ordago {
namespace {

class ReceiptsTest : public testing::Test {
 protected:
  void describe() {
    v1::DescribeEventResponse described;
    described.set_event("friday");
    described.set_commitment("\x01\xAB");
    described.set_secret_digest("\x02");
    described.set_settings_digest("\x03");
    described.add_entrants("ana");
    described.add_entrants("b\"e\\n\n");
    described.mutable_beacon()->set_source("drand");
    described.mutable_beacon()->set_round(7);
    receipts.describe(described, "\x0F\xFF");
  }

  static v1::MatchStart start(std::uint32_t length) {
    v1::MatchStart start;
    start.set_match_id("m");
    start.add_players()->set_name("ana");
    start.set_ledger_length(length);
    start.set_ledger_head("\x04");
    return start;
  }

  std::vector<std::string> kept;
  Receipts receipts{[this](const std::string& line) { kept.push_back(line); }};
};

TEST_F(ReceiptsTest, AreLinesOfJsonAsProofSays) {
  describe();
  receipts.begin(start(2));
  v1::MatchEnd end;
  end.set_ledger_length(3);
  end.set_ledger_head("\x05");
  end.set_record_digest("\x06");
  receipts.end(start(2), end);
  EXPECT_EQ(kept, (std::vector<std::string>{
                      R"({"beacon":{"round":7,"source":"drand","value":""},"commitment":"01ab",)"
                      R"("entrants":["ana","b\"e\\n\u000a"],"event":"friday","kind":"event","nonce":"0fff",)"
                      R"("secret_digest":"02","settings_digest":"03"})",
                      R"({"commitment":"01ab","event":"friday","head":"04","kind":"match_start","length":2,)"
                      R"("match_id":"m","name":"ana"})",
                      R"({"commitment":"01ab","event":"friday","head":"05","kind":"match_end","length":3,)"
                      R"("match_id":"m","record_digest":"06"})"}));
}

TEST_F(ReceiptsTest, AreNotKeptWhereThereIsNoEvent) {
  receipts.describe({}, "nonce");
  receipts.begin(start(0));
  receipts.end(start(0), {});
  EXPECT_TRUE(kept.empty());
}

TEST_F(ReceiptsTest, OfASeatThatIsNotThereHaveNoName) {
  v1::MatchStart strange = start(1);
  strange.set_seat(4'000'000'000);
  receipts.begin(strange);
  EXPECT_NE(kept.at(0).find(R"("name":"")"), std::string::npos);
}

TEST(ReceiptsFile, IsRefusedIfItHoldsAnythingElse) {
  const std::string path = testing::TempDir() + "other";
  const auto is_refused = [&path](const char* contents) {
    std::ofstream(path) << contents;
    try {
      require_receipts(path);
      return false;
    } catch (const std::runtime_error& because) {
      return std::string(because.what()) == "it is there and holds no receipts";
    }
  };
  for (const char* contents : {"root:x:0:0\n", "[]\n", "null", "{\"kind\": 1}\n", "{\"start\": {}}\n"}) {
    EXPECT_TRUE(is_refused(contents)) << contents;
  }
  for (const char* contents : {"", "{\"kind\": \"match_end\"}\n{", "{\"kind\": \"event\"}"}) {
    EXPECT_FALSE(is_refused(contents)) << contents;
  }
  std::filesystem::remove(path);
  EXPECT_NO_THROW(require_receipts(path));
  EXPECT_NO_THROW(require_receipts("/dev/null"));
}

TEST(ReceiptsFile, IsAppendedToAndTheOwnersAlone) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "receipts";
  std::filesystem::remove(path);
  appender(path)("one");
  appender(path)("two");
  std::ifstream file(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator(file), {}), "one\ntwo\n");
  using std::filesystem::perms;
  EXPECT_EQ(std::filesystem::status(path).permissions(), perms::owner_read | perms::owner_write);
  EXPECT_THROW(appender(testing::TempDir()), std::system_error);
}

}  // namespace
}  // namespace ordago
