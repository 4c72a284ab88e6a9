// Counts of a session, for its last line.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "ordago/log.h"

namespace ordago {

/// Counts what became of matches and answers. A thread whose bot fails asks for the event while another one counts.
class Summary {
 public:
  /// Counts a match; a placing of 0 is none.
  void ended(bool is_void, std::uint32_t placing);
  void thought(const std::string& match, std::uint32_t decision, std::uint32_t milliseconds);
  void refused(const std::string& cause) { count(refused_, cause); }
  void default_taken(const std::string& fault) { count(default_answers_, fault); }
  void forfeited() { count(forfeited_); }
  void failed() { count(failures_); }

  /// Whether no answer was refused or replaced, no match forfeited, and the bot never failed.
  bool is_clean() const { return refused_.empty() && default_answers_.empty() && forfeited_ == 0 && failures_ == 0; }
  /// Returns the last line of the log; none if no match has ended.
  std::optional<LogEvent> event() const;

 private:
  void count(std::uint32_t& counter) {
    const std::scoped_lock lock(counting_);
    ++counter;
  }
  void count(std::map<std::string, std::uint32_t>& counters, const std::string& cause) {
    const std::scoped_lock lock(counting_);
    ++counters[cause];
  }

  /// Recursive, since the thread that fails may be one that counts.
  mutable std::recursive_mutex counting_;
  std::uint32_t matches_ = 0;
  std::map<std::uint32_t, std::uint32_t> placings_;
  std::uint32_t void_ = 0;
  std::uint32_t slowest_ms_ = 0;
  std::uint32_t slowest_decision_ = 0;
  /// The match of the slowest decision, and whether there is one.
  std::string slowest_match_;
  bool has_thought_ = false;
  std::map<std::string, std::uint32_t> refused_;
  std::map<std::string, std::uint32_t> default_answers_;
  std::uint32_t forfeited_ = 0;
  std::uint32_t failures_ = 0;
};

}  // namespace ordago
