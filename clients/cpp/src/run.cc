#include <cstdlib>
#include <iostream>
#include <system_error>

#include "command_line.h"
#include "crash.h"
#include "driver.h"
#include "files.h"
#include "ordago/bot.h"
#include "standard_streams.h"
#include "stopping.h"
#include "text.h"
#include "usage_error.h"

namespace ordago {
namespace {

constexpr int exit_usage = 2;

std::string variable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value ? value : "";
}

Keep receipts_of(const Settings& settings) {
  if (settings.receipts.empty()) return nullptr;
  try {
    return receipts_file(settings.receipts);
  } catch (const std::system_error& error) {
    throw FileError("--receipts: cannot write to " + settings.receipts + ": " + reason_of(error.code().value()));
  }
}

int refuse(const UsageError& error) {
  standard_error() << "error: " << visible(error.what()) << std::endl;
  return exit_usage;
}

int play(const Settings& settings, const Keep& keep, const Factory& factory) {
  const Log log(standard_error(), settings.verbose);
  const auto mailbox = std::make_shared<Mailbox>();
  const bool is_launched = !variable("ORDAGO_LAUNCHED").empty();
  stop_by_signals(mailbox, is_launched);
  if (is_launched) end_with_standard_input();
  Player player(factory, settings.wishes, std::chrono::steady_clock::now, log, keep);
  return play(player, settings, *mailbox, log);
}

}  // namespace

int run(int argc, const char* const* argv, const Program& program, const Factory& factory) {
  secure_standard_streams();
  Settings settings;
  Keep keep;
  try {
    const std::span words(argv, static_cast<std::size_t>(argc));
    settings = settings_of(words.subspan(std::min<std::size_t>(1, words.size())), variable, program);
    keep = receipts_of(settings);
  } catch (const FileError& error) {
    return refuse(error);
  } catch (const UsageError& error) {
    standard_error() << usage_text(argc > 0 ? argv[0] : program.name) << "\n";
    return refuse(error);
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
  return play(settings, keep, factory);
}

}  // namespace ordago
