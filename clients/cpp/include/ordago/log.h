// What a bot tells whoever watches it, one line each.
#pragma once

#include <mutex>
#include <ostream>
#include <string>
#include <string_view>

namespace ordago {

/// Writes lines with their time and level. What others said is shown without anything that could control a terminal.
class Log {
 public:
  /// Says nothing.
  Log() = default;
  /// Writes to a stream; the messages that come and go as well, if it is verbose.
  Log(std::ostream& out, bool verbose) : out_(&out), verbose_(verbose) {}

  /// Whether what `debug` is told is shown, for those who would have to compute it.
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
