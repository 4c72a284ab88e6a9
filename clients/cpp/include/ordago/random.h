// Random numbers of a bot, the same whenever the same decision comes again.
#pragma once

#include <cstdint>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace ordago {

/// Random numbers for one decision. They depend only on the seed of the match and the number of the decision, so a
/// match that is repeated, or resumed by another process, is played the same. A generator for the distributions of the
/// standard library; its own methods draw the same with every compiler.
class Random {
 public:
  using result_type = std::mt19937_64::result_type;

  /// Starts from the seed of a match and the number of a decision.
  Random(std::string_view seed, std::uint32_t number);

  static constexpr result_type min() { return std::mt19937_64::min(); }
  static constexpr result_type max() { return std::mt19937_64::max(); }
  result_type operator()() { return generator_(); }

  /// Returns a whole number from `least` to `greatest`, uniformly.
  ///
  /// Throws std::out_of_range if `least` is greater than `greatest`.
  std::int64_t between(std::int64_t least, std::int64_t greatest);

  /// Returns an element of a range, uniformly.
  ///
  /// Throws std::out_of_range if it is empty.
  template <typename Range>
  const auto& pick(const Range& range) {
    if (std::empty(range)) throw std::out_of_range("there is nothing to pick from");
    return *std::next(std::begin(range), between(0, std::ssize(range) - 1));
  }

  /// Draws `count` elements of a range without replacement, in random order.
  ///
  /// Throws std::out_of_range if it has fewer.
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
