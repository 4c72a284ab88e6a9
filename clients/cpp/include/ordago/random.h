// Chance of a bot's own, the same whenever the same decision is put again.
#pragma once

#include <cstdint>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace ordago {

/// A source of chance for one decision. It depends on the seed of the match and the number of the decision alone, so
/// that a match that is played again, or carried on by another process, is played the same. It is a generator as the
/// standard library wants one, and draws itself what a bot needs most, alike with every compiler.
class Random {
 public:
  using result_type = std::mt19937_64::result_type;

  /// Begins with the seed of a match and the number of a decision.
  Random(std::string_view seed, std::uint32_t number);

  static constexpr result_type min() { return std::mt19937_64::min(); }
  static constexpr result_type max() { return std::mt19937_64::max(); }
  result_type operator()() { return generator_(); }

  /// Returns a whole number from `least` to `greatest`, each with the same chance.
  std::int64_t between(std::int64_t least, std::int64_t greatest);

  /// Returns an element of a range that is not empty, each with the same chance.
  ///
  /// Throws std::out_of_range if it is empty.
  template <typename Range>
  const auto& pick(const Range& range) {
    if (std::empty(range)) throw std::out_of_range("there is nothing to pick from");
    return *std::next(std::begin(range), between(0, std::ssize(range) - 1));
  }

  /// Returns `count` elements of a range, drawn by chance, in the order in which they were drawn.
  ///
  /// Throws std::out_of_range if there are not so many.
  template <typename Range>
  auto sample(const Range& range, std::int64_t count) {
    std::vector drawn(std::begin(range), std::end(range));
    if (count < 0 || count > std::ssize(drawn)) throw std::out_of_range("there are not so many to draw");
    for (std::int64_t place = 0; place < count; ++place) {
      std::swap(drawn[static_cast<std::size_t>(place)],
                drawn[static_cast<std::size_t>(between(place, std::ssize(drawn) - 1))]);
    }
    drawn.resize(static_cast<std::size_t>(count));
    return drawn;
  }

 private:
  std::mt19937_64 generator_;
};

}  // namespace ordago
