#include "ordago/testing.h"

#include <fcntl.h>
#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "files.h"
#include "json.h"
#include "mind.h"

namespace ordago {
namespace {

using google::protobuf::Struct, google::protobuf::Value;

/// Reads a message in protobuf's JSON form; fields that are unknown here are left out.
template <typename Message>
Message read(const std::string& text) {
  Message message;
  google::protobuf::util::JsonParseOptions options;
  options.ignore_unknown_fields = true;
  const auto status = google::protobuf::util::JsonStringToMessage(text, &message, options);
  if (!status.ok()) throw std::runtime_error(status.ToString());
  return message;
}

/// An object of JSON, by whose keys the values are read.
class Object {
 public:
  explicit Object(Struct object) : object_(std::move(object)) {}

  bool has(const std::string& key) const { return object_.fields().contains(key); }
  const Value& at(const std::string& key) const {
    if (!has(key)) throw std::runtime_error("there is no " + key);
    return object_.fields().at(key);
  }
  std::string text(const std::string& key) const { return at(key).string_value(); }
  template <typename Number>
  Number number(const std::string& key) const {
    return static_cast<Number>(at(key).number_value());
  }
  template <typename Message>
  Message message(const std::string& key) const {
    return read<Message>(json::message(at(key)));
  }

 private:
  Struct object_;
};

LoggedDecision decision_of(const Object& line) {
  LoggedDecision logged{.start = line.message<v1::MatchStart>("start"),
                        .decision = line.message<v1::Decision>("decision"),
                        .answer = line.message<v1::Answer>("answer"),
                        .took = std::chrono::milliseconds(line.number<std::int64_t>("milliseconds"))};
  if (line.has("refused")) logged.refused = line.message<v1::Refused>("refused");
  if (line.has("error")) logged.error = line.text("error");
  return logged;
}

PlayedSeat seat_of(const Object& told) {
  PlayedSeat seat{.bot = told.number<std::size_t>("bot"),
                  .name = told.text("name"),
                  .score = told.number<std::int32_t>("score"),
                  .placing = told.number<std::uint32_t>("placing")};
  for (const auto& [rule, count] : told.at("strikes").struct_value().fields()) {
    seat.strikes[rule] = static_cast<std::uint32_t>(count.number_value());
  }
  return seat;
}

PlayedMatch match_of(const Object& line) {
  PlayedMatch match{.match_id = line.text("match_id"),
                    .game = line.text("game"),
                    .number = line.number<std::uint32_t>("number"),
                    .faults = line.number<std::uint32_t>("faults")};
  for (const Value& value : line.at("seats").list_value().values()) {
    match.seats.push_back(seat_of(Object(value.struct_value())));
  }
  for (const Value& value : line.at("forfeits").list_value().values()) {
    const Object forfeit(value.struct_value());
    match.forfeits[forfeit.number<std::uint32_t>("seat")] = forfeit.text("fault");
  }
  return match;
}

/// Reads objects of JSON, one a line, from a source that errors name.
template <typename Read>
auto read_lines(std::istream& in, const std::string& source, Read read_one) {
  std::vector<decltype(read_one(Object(Struct())))> all;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    try {
      all.push_back(read_one(Object(read<Struct>(line))));
    } catch (const std::runtime_error& reason) {
      throw std::runtime_error(source + ", line " + std::to_string(number) + ": " + reason.what());
    }
  }
  return all;
}

std::string read_to_the_end(int descriptor) {
  std::string text;
  std::array<char, 4096> part{};
  ssize_t size = 0;
  while ((size = ::read(descriptor, part.data(), part.size())) > 0) text.append(part.data(), std::size_t(size));
  return text;
}

/// Runs a program and returns what it writes to standard output.
std::string output_of(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("there are no descriptors left");
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  pid_t process = 0;
  const int error = ::posix_spawnp(&process, words[0].c_str(), &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  const std::string output = error == 0 ? read_to_the_end(ends[0]) : "";
  ::close(ends[0]);
  if (error != 0) {
    throw std::runtime_error("cannot run " + words[0] + ": " + reason_of(error) +
                             "; put ordago on the PATH, or name it with ORDAGO_PROGRAM");
  }
  int status = 0;
  ::waitpid(process, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw std::runtime_error(words[0] + " play failed");
  return output;
}

}  // namespace

std::vector<LoggedDecision> load_decisions(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error(path + " cannot be read: " + reason_of(errno));
  return read_lines(in, path, decision_of);
}

v1::Answer ask(Bot& bot, const LoggedDecision& logged) {
  const v1::Decision& decision = logged.decision;
  const auto deadline_in = [&decision](std::uint64_t left) {
    const Time deadline = std::chrono::steady_clock::now() + milliseconds(left);
    return decision.has_clock() ? std::optional(deadline) : std::nullopt;
  };
  const v1::ClockState& clock = decision.clock();
  Mind::restart_chance(bot, decision);
  v1::Answer answer =
      Mind::ask(bot, decision, nullptr, deadline_in(std::uint64_t{clock.decision_ms()} + clock.bank_ms()));
  if (!logged.refused) return answer;
  return Mind::ask(bot, decision, &*logged.refused, deadline_in(logged.refused->time_left_ms()));
}

std::vector<PlayedMatch> play(const std::string& game, const std::vector<std::string>& bots, unsigned matches) {
  const char* const program = std::getenv("ORDAGO_PROGRAM");
  std::vector<std::string> words{program && *program ? program : "ordago", "play", game};
  for (const std::string& bot : bots) words.insert(words.end(), {"--bot", bot});
  words.insert(words.end(), {"--matches", std::to_string(matches), "--json"});
  std::istringstream out(output_of(words));
  return read_lines(out, words[0] + " play", match_of);
}

}  // namespace ordago
