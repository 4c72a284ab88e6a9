#include "ordago/log.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>

namespace ordago {
namespace {

std::string time_of_day() {
  using std::chrono::floor, std::chrono::milliseconds, std::chrono::system_clock;
  const auto now = floor<milliseconds>(system_clock::now());
  const std::time_t seconds = system_clock::to_time_t(floor<std::chrono::seconds>(now));
  std::tm local{};
  localtime_r(&seconds, &local);
  std::array<char, 32> text{};
  const auto length = std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &local);
  std::array<char, 8> fraction{};
  const auto rest = static_cast<int>(now.time_since_epoch().count() % 1000);
  std::snprintf(fraction.data(), fraction.size(), ",%03d", rest);
  return std::string(text.data(), length) + fraction.data();
}

bool controls(char character) {
  const auto code = static_cast<unsigned char>(character);
  return code < 0x20 || code == 0x7F;
}

}  // namespace

void Log::write(std::string_view level, std::string_view text) const {
  if (!out_) return;
  std::string line = time_of_day() + " " + std::string(level) + " ";
  for (std::size_t at = 0; at < text.size(); ++at) {
    // U+0080 to U+009F control a terminal too; in UTF-8 they are C2 and 80 to 9F.
    const bool is_c1 = text[at] == '\xC2' && at + 1 < text.size() && (text[at + 1] & '\xE0') == '\x80';
    if (is_c1) ++at;
    line += is_c1 || controls(text[at]) ? '?' : text[at];
  }
  const std::scoped_lock lock(writing_);
  *out_ << line + "\n" << std::flush;
}

}  // namespace ordago
