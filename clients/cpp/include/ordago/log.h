// The log of a bot: events with a sentence and fields.
#pragma once

#include <functional>
#include <mutex>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace ordago {

/// The weight of an event.
enum class Level { debug, info, warning, error };

/// Returns the name of a level as in the log, for instance "INFO".
std::string_view name_of(Level level);

/// A field of an event: its key, and its value in JSON.
struct Field {
  std::string key;
  std::string json;
};

/// An event of a session, as docs/bot-process.md lists them.
struct LogEvent {
  Level level = Level::info;
  /// The kind of event, for instance "match_begins".
  std::string name{};
  /// The event as a sentence. It may contain control characters, if the server sent them.
  std::string message{};
  std::vector<Field> fields{};
  /// Lines below the sentence: a stack trace and a decision; usually empty.
  std::string details{};

  /// Returns the fields as a JSON object.
  std::string fields_json() const;
};

/// Takes events, for instance to pass them to spdlog. It must not throw.
using Logger = std::function<void(const LogEvent&)>;

/// The form of a line: a sentence, or a JSON object.
enum class LogFormat { text, json };

/// Writes events to a stream, one line each, and passes them to a logger. Control characters are escaped, so a server
/// cannot control the terminal.
class Log {
 public:
  /// Passes events to a logger alone; without one they are lost.
  explicit Log(Logger logger = nullptr) : logger_(std::move(logger)) {}
  /// Writes to a stream; events of level `debug` only if it is verbose.
  Log(std::ostream& out, bool verbose, LogFormat format = LogFormat::text, Logger logger = nullptr)
      : out_(&out), verbose_(verbose), format_(format), logger_(std::move(logger)) {}

  /// Whether events of level `debug` are written; ask before making an expensive one.
  bool verbose() const { return verbose_; }
  /// Writes an event. Lines of several threads do not mix.
  void write(const LogEvent& event) const;

 private:
  std::ostream* out_ = nullptr;
  bool verbose_ = false;
  LogFormat format_ = LogFormat::text;
  Logger logger_;
  mutable std::mutex writing_;
};

}  // namespace ordago
