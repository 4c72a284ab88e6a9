#include "summary.h"

#include <utility>
#include <vector>

#include "json.h"

namespace ordago {
namespace {

using std::to_string;
using Causes = std::map<std::string, std::uint32_t>;

std::string count_words(const char* what, std::uint32_t count) {
  return count == 0 ? "" : std::string("; ") + what + ": " + to_string(count);
}

std::string cause_words(const char* what, const Causes& causes) {
  std::uint32_t sum = 0;
  std::string list;
  for (const auto& [cause, count] : causes) {
    sum += count;
    list.append(list.empty() ? "" : ", ").append(cause).append(" ").append(to_string(count));
  }
  return sum == 0 ? "" : count_words(what, sum) + " (" + list + ")";
}

Field counts(std::string key, const auto& by_cause) {
  std::vector<Field> members;
  for (const auto& [cause, count] : by_cause) members.push_back({cause, to_string(count)});
  return {std::move(key), json::object(members)};
}

}  // namespace

void Summary::ended(bool is_void, std::uint32_t placing) {
  const std::scoped_lock lock(counting_);
  ++matches_;
  if (is_void) ++void_;
  if (placing > 0) ++placings_[placing];
}

void Summary::thought(const std::string& match, std::uint32_t decision, std::uint32_t milliseconds) {
  const std::scoped_lock lock(counting_);
  if (std::exchange(has_thought_, true) && milliseconds <= slowest_ms_) return;
  slowest_ms_ = milliseconds;
  slowest_match_ = match;
  slowest_decision_ = decision;
}

std::optional<LogEvent> Summary::event() const {
  const std::scoped_lock lock(counting_);
  if (matches_ == 0) return std::nullopt;
  std::vector<Field> fields{{"matches", to_string(matches_)}};
  std::vector<Field> by_placing;
  std::string results;
  const auto add = [&results](const std::string& words) { results += (results.empty() ? "" : ", ") + words; };
  for (const auto& [placing, count] : placings_) {
    add("placing " + to_string(placing) + ": " + to_string(count));
    by_placing.push_back({to_string(placing), to_string(count)});
  }
  add("void: " + to_string(void_));
  fields.push_back({"placings", json::object(by_placing)});
  fields.push_back({"void", to_string(void_)});
  std::string words = to_string(matches_) + (matches_ == 1 ? " match: " : " matches: ") + results;
  if (has_thought_) {
    words += "; slowest decision: " + to_string(slowest_ms_) + " ms (match " + slowest_match_ + ", decision " +
             to_string(slowest_decision_) + ")";
    fields.push_back({"slowest_ms", to_string(slowest_ms_)});
    fields.push_back({"slowest_match", json::quoted(slowest_match_)});
    fields.push_back({"slowest_decision", to_string(slowest_decision_)});
  }
  words += cause_words("refused", refused_) + cause_words("default answers", default_answers_) +
           count_words("forfeited", forfeited_) + count_words("failures", failures_);
  fields.push_back(counts("refused", refused_));
  fields.push_back(counts("default_answers", default_answers_));
  fields.push_back({"forfeited", to_string(forfeited_)});
  fields.push_back({"failures", to_string(failures_)});
  return LogEvent{.name = "summary", .message = std::move(words), .fields = std::move(fields)};
}

}  // namespace ordago
