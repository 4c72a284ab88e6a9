#include "command_line.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <random>
#include <string_view>

#include "files.h"
#include "text.h"
#include "token.h"
#include "usage_error.h"

namespace ordago {
namespace {

constexpr std::string_view default_address = "127.0.0.1:7447";
constexpr std::size_t nonce_bytes = 16;
constexpr std::size_t least_nonce_bytes = 16;
constexpr std::size_t greatest_nonce_bytes = 64;
constexpr std::size_t longest_event_name = 64;

/// The values of a command line by their options, in their order.
using Words = std::map<std::string, std::vector<std::string>, std::less<>>;

bool is_flag(std::string_view option) {
  constexpr std::string_view options[] = {"--tls", "--strict", "--verbose", "--version", "--help"};
  return std::ranges::find(options, option) != std::end(options);
}

bool takes_a_value(std::string_view option) {
  constexpr std::string_view options[] = {"--address",   "--token-file",     "--token",    "--event",
                                          "--nonce",     "--tls-ca",         "--tls-cert", "--tls-key",
                                          "--name",      "--receipts",       "--game",     "--matches",
                                          "--decisions", "--matches-in-all", "--on-error", "--log-decisions"};
  return std::ranges::find(options, option) != std::end(options);
}

std::string full_name(std::string_view option) {
  if (option == "-v") return "--verbose";
  return option == "-h" ? "--help" : std::string(option);
}

Words words_of(std::span<const char* const> arguments) {
  Words words;
  for (std::size_t at = 0; at < arguments.size(); ++at) {
    const std::string_view argument = arguments[at];
    const auto equals = argument.find('=');
    const std::string option = full_name(argument.substr(0, equals));
    if (!argument.starts_with('-')) throw UsageError("'" + std::string(argument) + "' is left over");
    if (is_flag(option)) {
      if (equals != argument.npos) throw UsageError(option + " takes no value");
      words[option];
    } else if (!takes_a_value(option)) {
      throw UsageError("there is no option " + option);
    } else if (equals != argument.npos) {
      words[option].emplace_back(argument.substr(equals + 1));
    } else if (++at < arguments.size()) {
      words[option].emplace_back(arguments[at]);
    } else {
      throw UsageError(option + " needs a value");
    }
  }
  return words;
}

/// The options of a command line, with the variables of an environment.
class Arguments {
 public:
  Arguments(Words words, const Environment& environment) : words_(std::move(words)), environment_(environment) {}

  bool has(std::string_view option) const { return words_.contains(option); }

  std::vector<std::string> all(std::string_view option) const {
    return has(option) ? words_.find(option)->second : std::vector<std::string>{};
  }

  std::optional<Given> variable(const std::string& name) const {
    std::string value = environment_(name);
    return value.empty() ? std::nullopt : std::optional(Given{name, std::move(value)});
  }

  /// The last value of an option, else that of its variable.
  std::optional<Given> find(const std::string& option, const std::string& name) const {
    return has(option) ? Given{option, words_.find(option)->second.back()} : variable(name);
  }

  std::uint32_t count(std::string_view option) const {
    const std::string text = has(option) ? words_.find(option)->second.back() : "0";
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) {
      throw UsageError(std::string(option) + ": '" + text + "' is not a whole number from 0 to 4294967295");
    }
    return number;
  }

 private:
  Words words_;
  const Environment& environment_;
};

Address address_of(const Arguments& arguments) {
  const auto given = arguments.find("--address", "ORDAGO_ADDRESS");
  if (!given) return parse_address(default_address);
  try {
    return parse_address(given->value);
  } catch (const UsageError& reason) {
    throw UsageError(given->source + ": '" + given->value +
                     "' is not HOST:PORT, [IPv6]:PORT or unix:PATH: " + reason.what());
  }
}

// The token is a secret, so no message repeats it.
std::string checked(const Given& token) {
  if (token.value.size() > longest_token_bytes) {
    throw UsageError(token.source + ": the token is longer than " + std::to_string(longest_token_bytes) + " bytes");
  }
  if (!is_sendable(token.value)) {
    throw UsageError(token.source + ": the token holds a character that no token has; was something else copied too?");
  }
  return token.value;
}

std::string read_token(const Given& path) {
  try {
    return parse_token_file(contents_of(path.value, longest_token_bytes + 1));
  } catch (const UsageError& reason) {
    throw UsageError(path.source + ": " + path.value + " cannot be used: " + reason.what());
  }
}

std::string token_of(const Arguments& arguments) {
  if (const auto token = arguments.find("--token", "")) return checked(*token);
  if (const auto path = arguments.find("--token-file", "ORDAGO_TOKEN_FILE")) return read_token(*path);
  return checked(arguments.variable("ORDAGO_TOKEN").value_or(Given{}));
}

// gRPC would refuse to send much of what is no name, and the bot would try to connect again and again.
std::string event_of(const Arguments& arguments) {
  const Given event = arguments.find("--event", "ORDAGO_EVENT").value_or(Given{});
  const auto fits = [](char character) {
    return (character >= 'a' && character <= 'z') || (character >= '0' && character <= '9') || character == '-';
  };
  const std::string& name = event.value;
  if (name.size() > longest_event_name || !std::ranges::all_of(name, fits) || name.starts_with('-')) {
    throw UsageError(event.source + ": '" + name + "' is no event: its name has small letters, digits and hyphens");
  }
  return name;
}

std::string nonce_by_chance() {
  std::random_device device;
  std::array<char, nonce_bytes> nonce{};
  std::ranges::generate(nonce, [&device] { return static_cast<char>(device()); });
  return {nonce.begin(), nonce.end()};
}

std::string nonce_in(const Given& given) {
  const std::string& text = given.value;
  std::string nonce((text.size() + 1) / 2, '\0');
  for (std::size_t at = 0; at < nonce.size(); ++at) {
    unsigned byte = 0;
    const char* const begin = text.data() + 2 * at;
    const auto [end, error] = std::from_chars(begin, std::min(begin + 2, text.data() + text.size()), byte, 16);
    if (error != std::errc{} || end != begin + 2)
      throw UsageError(given.source + ": '" + text + "' is not hexadecimal");
    nonce[at] = static_cast<char>(byte);
  }
  if (nonce.size() < least_nonce_bytes || nonce.size() > greatest_nonce_bytes) {
    throw UsageError(given.source + ": it has " + std::to_string(nonce.size()) + " bytes; 16 to 64 are wanted");
  }
  return nonce;
}

std::string nonce_of(const Arguments& arguments) {
  const Given given = arguments.find("--nonce", "ORDAGO_NONCE").value_or(Given{});
  return given.value.empty() ? nonce_by_chance() : nonce_in(given);
}

bool is_on(const Arguments& arguments, const std::string& variable) {
  const auto given = arguments.variable(variable);
  if (!given || given->value == "0") return false;
  if (given->value != "1") throw UsageError(variable + ": '" + given->value + "' is neither 1 nor 0");
  return true;
}

std::optional<Tls> tls_of(const Arguments& arguments) {
  const TlsFiles files{arguments.find("--tls-ca", "ORDAGO_TLS_CA"), arguments.find("--tls-cert", "ORDAGO_TLS_CERT"),
                       arguments.find("--tls-key", "ORDAGO_TLS_KEY")};
  const bool has_files = files.authorities || files.certificate || files.key;
  if (!has_files && !arguments.has("--tls") && !is_on(arguments, "ORDAGO_TLS")) return std::nullopt;
  return read_tls(files);
}

std::vector<std::string> games_of(const Arguments& arguments, const Program& program) {
  const auto games = arguments.all("--game");
  if (games.empty()) return program.games;
  for (const std::string& game : games) {
    if (!is_utf8(game)) throw UsageError("--game: '" + game + "' is not in UTF-8");
    if (!program.games.empty() && std::ranges::find(program.games, game) == program.games.end()) {
      throw UsageError("--game: this bot does not play '" + game + "'");
    }
  }
  return games;
}

std::string name_of(const Arguments& arguments, const Program& program) {
  const std::string name = arguments.has("--name") ? arguments.all("--name").back() : "";
  if (!is_utf8(name)) throw UsageError("--name: '" + name + "' is not in UTF-8");
  return name.empty() ? program.name : name;
}

std::string unused_proxy_in(const Environment& environment) {
  for (const char* const name : {"grpc_proxy", "GRPC_PROXY", "https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY",
                                 "all_proxy", "ALL_PROXY"}) {
    if (!environment(name).empty()) return name;
  }
  return "";
}

OnError on_error_of(const Arguments& arguments) {
  const auto given = arguments.find("--on-error", "ORDAGO_ON_ERROR");
  if (!given || given->value == "stop") return OnError::stop;
  if (given->value == "default") return OnError::take_default;
  throw UsageError(given->source + ": '" + given->value + "' is neither stop nor default");
}

LogFormat log_format_of(const Arguments& arguments) {
  const auto given = arguments.variable("ORDAGO_LOG");
  if (!given || given->value == "text") return LogFormat::text;
  if (given->value == "json") return LogFormat::json;
  throw UsageError(given->source + ": '" + given->value + "' is neither text nor json");
}

Wishes wishes_of(const Arguments& arguments, const Program& program) {
  return {.name = name_of(arguments, program),
          .version = program.version,
          .games = games_of(arguments, program),
          .nonce = nonce_of(arguments),
          .max_open_decisions = arguments.count("--decisions"),
          .max_matches = arguments.count("--matches"),
          .matches_in_all = arguments.count("--matches-in-all"),
          .on_error = on_error_of(arguments)};
}

}  // namespace

Settings settings_of(std::span<const char* const> words, const Environment& environment, const Program& program) {
  const Arguments arguments(words_of(words), environment);
  if (arguments.has("--help")) return {.help = true};
  if (arguments.has("--version")) return {.version = true};
  return {.address = address_of(arguments),
          .token = token_of(arguments),
          .event = event_of(arguments),
          .tls = tls_of(arguments),
          .receipts = arguments.find("--receipts", "ORDAGO_RECEIPTS"),
          .decisions = arguments.find("--log-decisions", "ORDAGO_LOG_DECISIONS"),
          .log_format = log_format_of(arguments),
          .strict = arguments.has("--strict"),
          .unused_proxy = unused_proxy_in(environment),
          .wishes = wishes_of(arguments, program),
          .verbose = arguments.has("--verbose")};
}

std::string usage_text(const std::string& program) { return "usage: " + program + " [options]; --help lists them"; }

std::string help_text() {
  return R"(Connects to an Ordago server and plays.

  --address HOST:PORT    HOST:PORT of the server, or unix:PATH; default: $ORDAGO_ADDRESS, or 127.0.0.1:7447
  --token-file FILE      file that holds the bot's token; read once; default: $ORDAGO_TOKEN_FILE
  --token TOKEN          the token itself; other programs can see it here; default: $ORDAGO_TOKEN
  --event NAME           event to enter; default: $ORDAGO_EVENT, or the server's ladder, or its only event
  --nonce HEXADECIMAL    16 to 64 bytes in hexadecimal, mixed into the deals; default: $ORDAGO_NONCE, or random
  --tls                  connect over TLS; default: if $ORDAGO_TLS is 1
  --tls-ca FILE          PEM file of the authorities to trust; default: $ORDAGO_TLS_CA, or the usual ones
  --tls-cert FILE        PEM file of the bot's own certificate, if the server asks for one; default: $ORDAGO_TLS_CERT
  --tls-key FILE         PEM file of its private key; default: $ORDAGO_TLS_KEY
  --receipts FILE        append receipts of what the server says about its event to this file; default:
                         $ORDAGO_RECEIPTS
  --name NAME            name of the bot, unless its token has one
  --game GAME            game to play; repeatable; default: all that it can play
  --matches NUMBER       matches to play at once; 0: no limit
  --decisions NUMBER     decisions to take at once; 0: no limit
  --matches-in-all NUMBER
                         matches after which to take no more; 0: never
  --on-error stop|default
                         what a bot that fails does: end with exit code 1, or send the default answer and go on;
                         default: $ORDAGO_ON_ERROR, or stop
  --log-decisions FILE   append each decision that the bot was asked to this file; default: $ORDAGO_LOG_DECISIONS
  --strict               end with exit code 1 if an answer was refused or replaced, a match forfeited, or the bot failed
  -v, --verbose          show every message
  --version              show the versions of the bot and its SDK
  -h, --help             show this

Told to stop, by Ctrl-C, SIGTERM or the end of its terminal, a bot takes no more seats, plays its running matches to
their end, and exits. Told again by Ctrl-C or SIGTERM it leaves at once, as it does while it is not connected. With
ORDAGO_LAUNCHED=1 it always leaves at once, and ends when its standard input does.

exit codes: 0 the server said goodbye; 1 the bot failed; 2 the command line is wrong; 3 the server cannot be reached, or
ended the session otherwise; 130 stopped by the user
)";
}

std::string version_text(const Program& program) {
  const std::string version = program.version.empty() ? "" : " " + program.version;
  return program.name + version + " (ordago cpp " ORDAGO_VERSION ")";
}

}  // namespace ordago
