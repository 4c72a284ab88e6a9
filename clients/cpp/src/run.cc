#include <cstdlib>
#include <iostream>
#include <optional>
#include <system_error>
#include <utility>

#include "command_line.h"
#include "crash.h"
#include "driver.h"
#include "files.h"
#include "ordago/bot.h"
#include "pool.h"
#include "standard_streams.h"
#include "stopping.h"
#include "text.h"
#include "usage_error.h"

namespace ordago {
namespace {

constexpr int exit_failed = 1;
constexpr int exit_usage = 2;

std::string variable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value ? value : "";
}

Keep opened(const std::optional<Given>& file, bool has_receipts) {
  if (!file || file->value.empty()) return nullptr;
  const std::string refusal = file->source + ": cannot write to " + file->value + ": ";
  try {
    if (has_receipts) require_receipts(file->value);
    return appender(file->value);
  } catch (const UsageError& because) {
    throw UsageError(refusal + because.what());
  } catch (const std::system_error& error) {
    throw UsageError(refusal + reason_of(error.code().value()));
  }
}

/// Lets bots think on a number of threads; with 0, or once the pool is gone, they think where frames arrive.
Executor executor_of(std::optional<Pool>& pool, unsigned threads, Mailbox& mailbox) {
  if (threads == 0) return nullptr;
  pool.emplace(threads);
  return [&pool, &mailbox](const std::function<void()>& task) {
    if (!pool) return task();
    pool->run([task, &mailbox] {
      task();
      mailbox.think();
    });
  };
}

int play(const Settings& settings, Surroundings surroundings, const Program& program, const Factory& factory) {
  const Log log(standard_error(), settings.verbose, settings.log_format, program.logger);
  const auto mailbox = std::make_shared<Mailbox>();
  const bool is_launched = !variable("ORDAGO_LAUNCHED").empty();
  stop_by_signals(mailbox, is_launched);
  if (is_launched) end_with_standard_input();
  std::optional<Pool> pool;
  surroundings.executor = executor_of(pool, program.threads, *mailbox);
  Player player(factory, settings.wishes, log, std::move(surroundings));
  at_crash([&player] { player.sum_up(); });
  const int exit_code = play(player, settings, *mailbox, log);
  pool.reset();  // Bots may still be told how their matches ended.
  player.collect();
  at_crash(nullptr);
  player.sum_up();
  return exit_code == EXIT_SUCCESS && settings.strict && !player.is_clean() ? exit_failed : exit_code;
}

}  // namespace

int run(int argc, const char* const* argv, const Program& program, const Factory& factory) {
  secure_standard_streams();
  Settings settings;
  Surroundings surroundings;
  try {
    const std::span words(argv, static_cast<std::size_t>(argc));
    settings = settings_of(words.subspan(std::min<std::size_t>(1, words.size())), variable, program);
    surroundings.receipts = opened(settings.receipts, true);
    surroundings.decisions = opened(settings.decisions, false);
  } catch (const UsageError& error) {
    standard_error() << usage_text(argc > 0 ? argv[0] : program.name) << "\nerror: " << visible(error.what()) << "\n";
    return exit_usage;
  }
  if (settings.help) {
    std::cout << help_text() << std::flush;
    return EXIT_SUCCESS;
  }
  if (settings.version) {
    std::cout << version_text(program) << std::endl;
    return EXIT_SUCCESS;
  }
  // The bot's own messages have the errors of gRPC; GRPC_VERBOSITY shows more.
  ::setenv("GRPC_VERBOSITY", "NONE", 0);
  report_crashes();
  return play(settings, std::move(surroundings), program, factory);
}

}  // namespace ordago
