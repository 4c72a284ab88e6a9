#include "address.h"

#include <gtest/gtest.h>

#include "usage_error.h"
#include "vectors.h"

namespace ordago {
namespace {

using Json = nlohmann::json;

Json outcome_of(const std::string& text) {
  try {
    const Address address = parse_address(text);
    Json outcome{{"address", address.text}};
    if (address.is_unix()) {
      outcome["path"] = address.path;
    } else {
      outcome.update({{"host", address.host}, {"port", address.port}});
    }
    return outcome;
  } catch (const UsageError& error) {
    return {{"address", text}, {"because", error.what()}};
  }
}

TEST(Address, IsReadAsTheVectorsSay) {
  const Json cases = vectors_in("addresses.json");
  EXPECT_GT(cases.size(), 100U);
  for (const Json& expected : cases) EXPECT_EQ(outcome_of(expected.at("address")), expected);
}

TEST(Address, IsEscapedForGrpc) {
  EXPECT_EQ(grpc_target(parse_address("localhost:7447")), "dns:///localhost:7447");
  EXPECT_EQ(grpc_target(parse_address("dns:80")), "dns:///dns:80");
  EXPECT_EQ(grpc_target(parse_address("[::1]:7447")), "dns:///%5B::1%5D:7447");
  EXPECT_EQ(grpc_target(parse_address("unix:/tmp/x/a%20b?c#d é")), "unix:/tmp/x/a%2520b%3Fc%23d%20%C3%A9");
  EXPECT_EQ(grpc_target(parse_address("unix:bot.sock")), "unix:bot.sock");
}

}  // namespace
}  // namespace ordago
