#include "ordago/log.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <string>

#include "text.h"

namespace ordago {
namespace {

/// The time in UTC: "2026-05-09T18:02:45.215Z".
std::string timestamp() {
  using std::chrono::floor, std::chrono::milliseconds, std::chrono::system_clock;
  const auto now = floor<milliseconds>(system_clock::now());
  const std::time_t seconds = system_clock::to_time_t(floor<std::chrono::seconds>(now));
  std::tm utc{};
  ::gmtime_r(&seconds, &utc);
  std::array<char, 32> text{};
  const auto length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &utc);
  std::array<char, 8> fraction{};
  std::snprintf(fraction.data(), fraction.size(), ".%03dZ", static_cast<int>(now.time_since_epoch().count() % 1000));
  return std::string(text.data(), length) + fraction.data();
}

}  // namespace

void Log::write(std::string_view level, std::string_view text) const {
  if (!out_) return;
  const std::string line = timestamp() + " " + std::string(level) + " " + visible(text) + "\n";
  const std::scoped_lock lock(writing_);
  out_->clear();  // An earlier failure may be over.
  *out_ << line << std::flush;
}

}  // namespace ordago
