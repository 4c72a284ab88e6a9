#include "ordago/random.h"

#include <array>
#include <limits>

namespace ordago {
namespace {

std::mt19937_64 generator_of(std::string_view seed, std::uint32_t number) {
  std::vector<std::uint32_t> words;
  for (const char byte : seed) words.push_back(static_cast<unsigned char>(byte));
  // The number of the decision as four bytes, big-endian, as in all SDKs.
  for (const int shift : std::array{24, 16, 8, 0}) words.push_back((number >> shift) & 0xFF);
  std::seed_seq sequence(words.begin(), words.end());
  return std::mt19937_64(sequence);
}

}  // namespace

Random::Random(std::string_view seed, std::uint32_t number) : generator_(generator_of(seed, number)) {}

std::int64_t Random::between(std::int64_t least, std::int64_t greatest) {
  if (least > greatest) throw std::out_of_range("the least is greater than the greatest");
  const auto span = static_cast<std::uint64_t>(greatest) - static_cast<std::uint64_t>(least) + 1;
  if (span == 0) return static_cast<std::int64_t>(generator_());  // All 64 bits.
  // Numbers above the last whole multiple of the span would favour small results.
  constexpr auto greatest_drawn = std::numeric_limits<std::uint64_t>::max();
  const auto surplus = (greatest_drawn % span + 1) % span;
  auto drawn = generator_();
  while (drawn > greatest_drawn - surplus) drawn = generator_();
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(least) + drawn % span);
}

}  // namespace ordago
