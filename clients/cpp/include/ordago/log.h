// The log of a bot, one line for each event.
#pragma once

#include <mutex>
#include <ostream>
#include <string>
#include <string_view>

namespace ordago {

/// A log with time and level in each line. Control characters are escaped, so a server cannot control the terminal.
class Log {
 public:
  /// Writes nothing.
  Log() = default;
  /// Writes to a stream; lines of `debug` only if it is verbose.
  Log(std::ostream& out, bool verbose) : out_(&out), verbose_(verbose) {}

  /// Whether lines of `debug` are written; ask before making an expensive one.
  bool verbose() const { return verbose_; }
  void debug(std::string_view text) const {
    if (verbose_) write("DEBUG", text);
  }
  void info(std::string_view text) const { write("INFO", text); }
  void warning(std::string_view text) const { write("WARNING", text); }
  void error(std::string_view text) const { write("ERROR", text); }

 private:
  void write(std::string_view level, std::string_view text) const;

  std::ostream* out_ = nullptr;
  bool verbose_ = false;
  mutable std::mutex writing_;
};

}  // namespace ordago
