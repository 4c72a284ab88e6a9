// Cases that tests/clients/foreign does not try on every SDK.
#include "command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "usage_error.h"
#include "vectors.h"

namespace ordago {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const Program program{.name = "bot", .version = "1"};

Settings parsed(std::vector<const char*> words, std::map<std::string, std::string> variables = {},
                const Program& by = program) {
  const auto environment = [&](const std::string& name) { return variables[name]; };
  return settings_of(words, environment, by);
}

std::string complaint(std::vector<const char*> words, std::map<std::string, std::string> variables = {},
                      const Program& by = program) {
  try {
    parsed(std::move(words), std::move(variables), by);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(CommandLine, SaysLittleByItself) {
  const Settings settings = parsed({});
  EXPECT_EQ(settings.address.text, "127.0.0.1:7447");
  EXPECT_EQ(settings.wishes.name, "bot");
  EXPECT_EQ(settings.wishes.version, "1");
  EXPECT_EQ(settings.wishes.nonce.size(), 16U);
  EXPECT_NE(settings.wishes.nonce, parsed({}).wishes.nonce);
  EXPECT_FALSE(settings.tls);
  EXPECT_TRUE(settings.token.empty());
}

TEST(CommandLine, CountsForMoreThanTheEnvironment) {
  EXPECT_EQ(parsed({}, {{"ORDAGO_ADDRESS", "unix:/a"}}).address.text, "unix:/a");
  EXPECT_EQ(parsed({"--address=b:1"}, {{"ORDAGO_ADDRESS", "unix:/a"}}).address.text, "b:1");
  EXPECT_EQ(parsed({"--event", "friday"}, {{"ORDAGO_EVENT", "monday"}}).event, "friday");
  EXPECT_EQ(parsed({"--token", ""}, {{"ORDAGO_TOKEN", "secret"}}).token, "");
  EXPECT_EQ(parsed({}, {{"ORDAGO_RECEIPTS", "file"}}).receipts->value, "file");
}

TEST(CommandLine, TakesTheLastWordAndAllGames) {
  const Settings settings = parsed({"--name", "a", "--game", "mus", "--name", "b", "--game=taihe", "-v"});
  EXPECT_EQ(settings.wishes.name, "b");
  EXPECT_THAT(settings.wishes.games, ElementsAre("mus", "taihe"));
  EXPECT_TRUE(settings.verbose);
}

TEST(CommandLine, LetsABotPlayOnlyWhatItPlays) {
  const Program jass{.name = "bot", .games = {"mittlere"}};
  EXPECT_THAT(parsed({}, {}, jass).wishes.games, ElementsAre("mittlere"));
  EXPECT_THAT(parsed({"--game", "mittlere"}, {}, jass).wishes.games, ElementsAre("mittlere"));
  EXPECT_EQ(complaint({"--game", "mus"}, {}, jass), "--game: this bot does not play 'mus'");
}

TEST(CommandLine, TakesANonceOf16To64Bytes) {
  EXPECT_EQ(parsed({}, {{"ORDAGO_NONCE", "000102030405060708090A0b0c0d0e0f"}}).wishes.nonce,
            std::string("\0\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17", 16));
  for (const char* const text : {"xy", "000", "-1", "0 "})
    EXPECT_THAT(complaint({"--nonce", text}), HasSubstr("is not hexadecimal"));
  EXPECT_THAT(complaint({"--nonce", "00"}), HasSubstr("16 to 64"));
}

TEST(CommandLine, TakesCountsOf32Bits) {
  EXPECT_EQ(parsed({"--matches", "4294967295"}).wishes.max_matches, 4294967295U);
  for (const char* const text : {"4294967296", "-1", "+1", "", "1.5", " 1", "many"}) {
    EXPECT_THAT(complaint({"--decisions", text}), HasSubstr("is not a whole number from 0 to 4294967295"));
  }
}

TEST(CommandLine, RefusesWhatItCannotFollow) {
  EXPECT_EQ(complaint({"--adress", "a:1"}), "there is no option --adress");
  EXPECT_EQ(complaint({"a:1"}), "'a:1' is left over");
  EXPECT_EQ(complaint({"--tls=yes"}), "--tls takes no value");
  EXPECT_EQ(complaint({"--name"}), "--name needs a value");
  EXPECT_EQ(complaint({"-address", "a:1"}), "there is no option -address");
  EXPECT_EQ(complaint({"--addr", "a:1"}), "there is no option --addr");
  EXPECT_EQ(complaint({"--name", "ana\xFF"}), "--name: 'ana\xFF' is not in UTF-8");
  for (const char* const event : {"-a", "A", "a b", "a\n"})
    EXPECT_THAT(complaint({"--event", event}), HasSubstr("is no event"));
}

TEST(CommandLine, ReadsATokenOfAFileAndNeverShowsOne) {
  const std::string path = testing::TempDir() + "token";
  std::ofstream(path) << " a-token\r\n";
  EXPECT_EQ(parsed({}, {{"ORDAGO_TOKEN_FILE", path}, {"ORDAGO_TOKEN", "other"}}).token, "a-token");
  for (const char* const token : {"s\xC3\xA9"
                                  "cret",
                                  "se\ncret"}) {
    EXPECT_THAT(complaint({"--token", token}), testing::Not(HasSubstr("cret")));
  }
}

TEST(CommandLine, NamesTheOptionOrVariableOfAWrongAddress) {
  const std::string wrong = "'localhost' is not HOST:PORT, [IPv6]:PORT or unix:PATH: it has no port";
  EXPECT_EQ(complaint({"--address", "localhost"}), "--address: " + wrong);
  EXPECT_EQ(complaint({}, {{"ORDAGO_ADDRESS", "localhost"}}), "ORDAGO_ADDRESS: " + wrong);
  EXPECT_THAT(complaint({"--address", ""}), HasSubstr("it is empty"));
  EXPECT_EQ(parsed({}, {{"ORDAGO_ADDRESS", ""}}).address.port, 7447);
}

TEST(CommandLine, NamesTheVariableThatIsWrong) {
  EXPECT_THAT(complaint({}, {{"ORDAGO_EVENT", "A"}}), HasSubstr("ORDAGO_EVENT: 'A' is no event"));
  EXPECT_THAT(complaint({}, {{"ORDAGO_NONCE", "zz"}}), HasSubstr("ORDAGO_NONCE: 'zz' is not hexadecimal"));
  EXPECT_THAT(complaint({}, {{"ORDAGO_NONCE", "00"}}), HasSubstr("ORDAGO_NONCE: it has 1 bytes"));
  EXPECT_THAT(complaint({}, {{"ORDAGO_TLS_CA", "/none"}}), HasSubstr("ORDAGO_TLS_CA: cannot read /none"));
  EXPECT_EQ(parsed({}, {{"ORDAGO_LOG_DECISIONS", "file"}}).decisions->source, "ORDAGO_LOG_DECISIONS");
}

TEST(CommandLine, SaysWhyATokenFileCannotBeUsed) {
  EXPECT_EQ(complaint({"--token-file", "none"}), "--token-file: none cannot be used: no such file or directory");
  const std::string path = testing::TempDir() + "long-token";
  std::ofstream(path) << std::string(9000, 'a');
  EXPECT_EQ(complaint({}, {{"ORDAGO_TOKEN_FILE", path}}),
            "ORDAGO_TOKEN_FILE: " + path + " cannot be used: it is longer than 8192 bytes");
}

TEST(CommandLine, ReadsSwitchesAsTheVectorsSay) {
  const auto cases = vectors_in("switches.json");
  EXPECT_GT(cases.size(), 10U);
  for (const auto& expected : cases) {
    const std::string text = expected.at("text");
    if (expected.contains("on")) {
      EXPECT_EQ(parsed({}, {{"ORDAGO_TLS", text}}).tls.has_value(), expected.at("on")) << text;
    } else {
      EXPECT_EQ(complaint({}, {{"ORDAGO_TLS", text}}), "ORDAGO_TLS: '" + text + "' is neither 1 nor 0");
    }
  }
  EXPECT_TRUE(parsed({"--tls"}, {{"ORDAGO_TLS", "0"}}).tls);
}

TEST(CommandLine, NamesAProxyThatIsNotUsed) {
  EXPECT_EQ(parsed({}, {{"https_proxy", ""}}).unused_proxy, "");
  for (const char* const name : {"http_proxy", "HTTPS_PROXY", "all_proxy", "GRPC_PROXY"}) {
    EXPECT_EQ(parsed({}, {{name, "http://127.0.0.1:9"}}).unused_proxy, name);
  }
}

TEST(CommandLine, ShowsVersionsOnOneLine) {
  EXPECT_TRUE(parsed({"--version"}).version);
  EXPECT_EQ(version_text(program).find("bot 1 (ordago cpp "), 0U);
  EXPECT_EQ(version_text({.name = "ana"}).find("ana (ordago cpp "), 0U);
}

}  // namespace
}  // namespace ordago
