// Counts of a session, for its last line.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "ordago/log.h"

namespace ordago {

/// Counts what became of matches and answers.
class Summary {
 public:
  /// Counts a match; a placing of 0 is none.
  void ended(bool is_void, std::uint32_t placing);
  void thought(const std::string& match, std::uint32_t decision, std::uint32_t milliseconds);
  void refused(const std::string& cause) { ++refused_[cause]; }
  void default_taken(const std::string& fault) { ++default_answers_[fault]; }
  void forfeited() { ++forfeited_; }
  void failed() { ++failures_; }

  /// Whether a match has ended.
  bool has_matches() const { return matches_ > 0; }
  /// Whether no answer was refused or replaced, no match forfeited, and the bot never failed.
  bool is_clean() const { return refused_.empty() && default_answers_.empty() && forfeited_ == 0 && failures_ == 0; }
  LogEvent event() const;

 private:
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
