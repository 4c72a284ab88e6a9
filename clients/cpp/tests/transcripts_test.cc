// All sessions of clients/transcripts, played over the session logic. Their README says what they are.
#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "ordago/player.h"
#include "vectors.h"

namespace ordago {
namespace {

using Json = nlohmann::json;

std::string unhexed(const std::string& text) {
  std::string bytes;
  for (std::size_t at = 0; at < text.size(); at += 2)
    bytes += static_cast<char>(std::stoi(text.substr(at, 2), nullptr, 16));
  return bytes;
}

grpc::StatusCode status_of(const std::string& name) {
  const std::map<std::string, grpc::StatusCode> codes{{"OK", grpc::OK},
                                                      {"CANCELLED", grpc::CANCELLED},
                                                      {"UNKNOWN", grpc::UNKNOWN},
                                                      {"INVALID_ARGUMENT", grpc::INVALID_ARGUMENT},
                                                      {"NOT_FOUND", grpc::NOT_FOUND},
                                                      {"PERMISSION_DENIED", grpc::PERMISSION_DENIED},
                                                      {"UNAUTHENTICATED", grpc::UNAUTHENTICATED},
                                                      {"RESOURCE_EXHAUSTED", grpc::RESOURCE_EXHAUSTED},
                                                      {"FAILED_PRECONDITION", grpc::FAILED_PRECONDITION},
                                                      {"ABORTED", grpc::ABORTED},
                                                      {"INTERNAL", grpc::INTERNAL},
                                                      {"UNAVAILABLE", grpc::UNAVAILABLE}};
  return codes.at(name);
}

template <typename Frame>
Frame frame_of(const Json& told) {
  Frame frame;
  const std::string bytes = told.is_null() ? "" : from_base64(told.at("bytes"));
  EXPECT_TRUE(frame.ParseFromString(bytes));
  return frame;
}

/// What all bots of a session share: the clock, and what they hear.
struct World {
  std::string manner;
  Time now{};
  milliseconds thinks{0};
  std::vector<std::string> told{};

  void tell(const std::string& what, std::uint32_t handle) { told.push_back(what + " " + std::to_string(handle)); }
};

/// The first cards of each group, and the least amount.
Answer completed(const v1::LegalAction& action) {
  Answer answer(action);
  if (action.has_amount()) answer.amount(action.amount().min());
  for (const v1::Pick& pick : action.picks()) {
    answer.cards(std::vector<int>(pick.cards().begin(), pick.cards().begin() + static_cast<int>(pick.min())));
  }
  return answer;
}

class ScriptedBot : public Bot {
 public:
  ScriptedBot(const Match& match, World& world) : Bot(match), world_(world) {
    if (world_.manner == "failing-at-start") throw std::runtime_error("it fails");
    world_.tell("begin", handle());
  }

  Answer choose(const v1::Decision& decision) override {
    world_.tell("choose " + std::to_string(handle()), decision.number());
    world_.now += world_.thinks;
    if (world_.manner == "retiring") retire();
    if (world_.manner == "empty") return v1::Answer();
    if (world_.manner == "failing") throw std::runtime_error("it fails");
    if (world_.manner == "default") return decision.default_answer();
    return completed(decision.actions(0));
  }

  Answer refused(const v1::Decision& decision, const v1::Refused& refusal) override {
    if (world_.manner != "insisting") return Bot::refused(decision, refusal);
    world_.tell("refused " + std::to_string(handle()), decision.number());
    return completed(*decision.actions().rbegin());
  }

  void forfeited(const v1::Forfeited&) override { world_.tell("forfeited", handle()); }

  void ended(const v1::MatchEnd&) override {
    world_.tell("ended", handle());
    if (world_.manner == "failing") throw std::runtime_error("it fails");
  }

 private:
  std::uint32_t handle() const { return match().start().match_handle(); }

  World& world_;
};

class Transcript {
 public:
  explicit Transcript(const Json& told)
      : world_{told.at("bot")},
        player_([this](const Match& match) { return std::make_unique<ScriptedBot>(match, world_); },
                wishes_of(told.at("player")), log_, {.now = [this] { return world_.now; }}) {}

  void play(const Json& step) {
    if (step.contains("at_ms")) world_.now = Time(milliseconds(step.at("at_ms")));
    world_.thinks = milliseconds(step.value("thinks_ms", 0));
    world_.told.clear();
    logged_.clear();
    if (step.at("do") == "lost") {
      lose(step);
    } else {
      says(said(step), frame_of<v1::PlayRequest>(step.at("sends")));
    }
    EXPECT_EQ(world_.told, step.value("told", world_.told));
    EXPECT_EQ(logged_.size(), step.at("log").size()) << Json(logged_);
    for (std::size_t at = 0; at < logged_.size(); ++at) EXPECT_EQ(logged_[at], comparable(step.at("log").at(at)));
  }

 private:
  static Wishes wishes_of(const Json& told) {
    return {.name = told.at("name"),
            .version = told.at("version"),
            .games = told.at("games"),
            .nonce = unhexed(told.at("nonce")),
            .max_open_decisions = told.at("max_open_decisions"),
            .max_matches = told.at("max_matches"),
            .matches_in_all = told.at("matches_in_all"),
            .on_error = told.value("on_error", "stop") == "default" ? OnError::take_default : OnError::stop};
  }

  /// Leaves out of a failure what languages word differently.
  static Json comparable(Json line) {
    if (line.at("event") != "failed") return line;
    std::string message = line.at("message");
    line["message"] = message.substr(0, message.size() - line.at("fields").at("error").get<std::string>().size());
    for (const char* const key : {"error", "trace"}) {
      if (line.at("fields").contains(key)) line["fields"][key] = "";
    }
    return line;
  }

  void log(const LogEvent& event) {
    logged_.push_back(comparable({{"level", name_of(event.level)},
                                  {"event", event.name},
                                  {"message", event.message},
                                  {"fields", Json::parse(event.fields_json())}}));
  }

  v1::PlayRequest said(const Json& step) {
    const std::string what = step.at("do");
    if (what == "connect") return player_.connect();
    if (what == "receive") return player_.receive(frame_of<v1::PlayResponse>(step.at("frame")), world_.now);
    if (what == "retire") return player_.retire();
    EXPECT_EQ(what, "leave");
    return player_.leave();
  }

  static void says(v1::PlayRequest said, const v1::PlayRequest& expected) {
    for (v1::BotMessage& message : *said.mutable_messages()) {
      if (message.has_hello()) message.mutable_hello()->clear_sdk();
    }
    std::string differences;
    google::protobuf::util::MessageDifferencer differencer;
    differencer.ReportDifferencesToString(&differences);
    EXPECT_TRUE(differencer.Compare(expected, said)) << differences;
  }

  void lose(const Json& step) {
    const Loss loss{status_of(step.at("status")), step.at("sentence"), milliseconds(step.at("retry_after_ms"))};
    const auto next = player_.lost(loss, world_.now, 0, "127.0.0.1:7447");
    std::visit([this](const auto& step) { log(step.event); }, next);
    const Json& then = step.at("then");
    if (const auto* over = std::get_if<Over>(&next)) {
      EXPECT_EQ(Json({{"over", over->exit_code}}), then);
    } else {
      EXPECT_EQ(Json({{"pause_ms", std::get<Pause>(next).length.count()}}), then);
    }
  }

  World world_;
  std::vector<Json> logged_;
  Log log_{[this](const LogEvent& event) { log(event); }};
  Player player_;
};

class Transcripts : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Transcripts, ArePlayedAsTheyAreWritten) {
  const Json told = Json::parse(std::ifstream(GetParam()));
  SCOPED_TRACE(told.at("shows"));
  Transcript transcript(told);
  for (std::size_t number = 0; number < told.at("steps").size(); ++number) {
    SCOPED_TRACE("step " + std::to_string(number));
    transcript.play(told.at("steps")[number]);
  }
}

std::vector<std::filesystem::path> all_transcripts() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(TRANSCRIPTS)) {
    if (entry.path().extension() == ".json") paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  return paths;
}

// Without any of them nothing is shown; GoogleTest fails a suite that is never made.
INSTANTIATE_TEST_SUITE_P(All, Transcripts, testing::ValuesIn(all_transcripts()), [](const auto& transcript) {
  std::string name = transcript.param.stem().string();
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace ordago
