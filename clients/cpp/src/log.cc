#include "ordago/log.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>

#include "json.h"
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

std::string text_of(const LogEvent& event) {
  std::string text = timestamp() + " " + std::string(name_of(event.level)) + " " + visible(event.message) + "\n";
  if (!event.details.empty()) text += event.details + "\n";
  return text;
}

std::string json_of(const LogEvent& event) {
  std::vector<Field> fields{{"time", json::quoted(timestamp())},
                            {"level", json::quoted(name_of(event.level))},
                            {"event", json::quoted(event.name)},
                            {"message", json::quoted(event.message)}};
  fields.insert(fields.end(), event.fields.begin(), event.fields.end());
  return json::object(fields) + "\n";
}

}  // namespace

std::string_view name_of(Level level) {
  constexpr std::array<std::string_view, 4> names{"DEBUG", "INFO", "WARNING", "ERROR"};
  return names.at(static_cast<std::size_t>(level));
}

std::string LogEvent::fields_json() const { return json::object(fields); }

void Log::write(const LogEvent& event) const {
  if (event.level == Level::debug && !verbose_) return;
  if (logger_) logger_(event);
  if (!out_) return;
  const std::scoped_lock lock(writing_);
  out_->clear();  // An earlier failure may be over.
  *out_ << (format_ == LogFormat::json ? json_of(event) : text_of(event)) << std::flush;
}

}  // namespace ordago
