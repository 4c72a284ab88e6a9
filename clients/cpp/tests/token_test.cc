#include "token.h"

#include <gtest/gtest.h>

#include "usage_error.h"
#include "vectors.h"

namespace ordago {
namespace {

using Json = nlohmann::json;

Json outcome_of(const std::string& base64) {
  try {
    return {{"bytes", base64}, {"token", parse_token_file(from_base64(base64))}};
  } catch (const UsageError& error) {
    return {{"bytes", base64}, {"because", error.what()}};
  }
}

TEST(TokenFile, IsReadAsTheVectorsSay) {
  const Json cases = vectors_in("token-files.json");
  EXPECT_GT(cases.size(), 30U);
  for (const Json& expected : cases) EXPECT_EQ(outcome_of(expected.at("bytes")), expected);
}

}  // namespace
}  // namespace ordago
