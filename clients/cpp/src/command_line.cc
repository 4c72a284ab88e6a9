#include "command_line.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <random>
#include <string_view>

#include "files.h"
#include "usage_error.h"

namespace ordago {
namespace {

constexpr std::string_view default_address = "127.0.0.1:7447";
constexpr std::size_t nonce_bytes = 16;
constexpr std::size_t least_nonce_bytes = 16;
constexpr std::size_t greatest_nonce_bytes = 64;
constexpr std::size_t longest_event_name = 64;
/// More than gRPC sends along with a call.
constexpr std::size_t longest_token_bytes = 8192;

/// The words of a command line by the option that they belong to, in their order.
using Words = std::map<std::string, std::vector<std::string>, std::less<>>;

bool is_flag(std::string_view option) { return option == "--tls" || option == "--verbose" || option == "--help"; }

bool takes_a_word(std::string_view option) {
  constexpr std::string_view options[] = {"--address", "--token-file", "--token",     "--event",         "--nonce",
                                          "--tls-ca",  "--tls-cert",   "--tls-key",   "--name",          "--receipts",
                                          "--game",    "--matches",    "--decisions", "--matches-in-all"};
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
    if (is_flag(option) && equals == argument.npos) {
      words[option];
    } else if (!takes_a_word(option)) {
      throw UsageError("there is no option " + std::string(argument) + "; --help lists them");
    } else if (equals != argument.npos) {
      words[option].emplace_back(argument.substr(equals + 1));
    } else if (++at < arguments.size()) {
      words[option].emplace_back(arguments[at]);
    } else {
      throw UsageError(option + " needs a value behind it");
    }
  }
  return words;
}

/// Looks options up in a command line, and their variables in an environment.
class Told {
 public:
  Told(Words words, const Environment& environment) : words_(std::move(words)), environment_(environment) {}

  bool has(std::string_view option) const { return words_.contains(option); }

  std::vector<std::string> all(std::string_view option) const {
    return has(option) ? words_.find(option)->second : std::vector<std::string>{};
  }

  /// The last word of an option, or its variable; none if there is neither.
  std::optional<std::string> last(std::string_view option, const std::string& variable = "") const {
    if (has(option)) return words_.find(option)->second.back();
    const std::string value = variable.empty() ? "" : environment_(variable);
    return value.empty() ? std::nullopt : std::optional(value);
  }

  std::uint32_t count(std::string_view option) const {
    const std::string text = last(option).value_or("0");
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) {
      throw UsageError(std::string(option) + ": '" + text + "' is no whole number from 0 to 4294967295");
    }
    return number;
  }

 private:
  Words words_;
  const Environment& environment_;
};

std::string address_of(const Told& told) {
  const std::string address = told.last("--address", "ORDAGO_ADDRESS").value_or(std::string(default_address));
  const bool has_port = address.rfind(':') != address.npos && address.back() != ':';
  if (!has_port) throw UsageError("--address: '" + address + "' is neither HOST:PORT nor unix:PATH");
  return address;
}

// It is not repeated: it is secret.
std::string sendable(const std::string& token) {
  if (!std::ranges::all_of(token, [](char character) { return character >= ' ' && character <= '~'; })) {
    throw UsageError("the token holds a character that no token has; was something else copied along with it?");
  }
  return token;
}

std::string token_in(const std::string& path) {
  constexpr std::string_view spaces = " \t\r\n";
  std::string token;
  try {
    token = contents_of(path, longest_token_bytes);
  } catch (const UsageError& error) {
    throw UsageError("--token-file: " + std::string(error.what()));
  }
  token.erase(0, token.find_first_not_of(spaces));
  token.erase(token.find_last_not_of(spaces) + 1);
  if (token.empty())
    throw UsageError("--token-file: " + path + " holds no token; that of a runner can be read only once");
  return sendable(token);
}

std::string token_of(const Told& told, const Environment& environment) {
  if (const auto token = told.last("--token")) return sendable(*token);
  if (const auto path = told.last("--token-file", "ORDAGO_TOKEN_FILE")) return token_in(*path);
  return sendable(environment("ORDAGO_TOKEN"));
}

// gRPC would refuse to send much of what is no name, and the bot would try to connect again and again.
std::string event_of(const Told& told) {
  const std::string event = told.last("--event", "ORDAGO_EVENT").value_or("");
  const auto fits = [](char character) {
    return (character >= 'a' && character <= 'z') || (character >= '0' && character <= '9') || character == '-';
  };
  if (event.size() > longest_event_name || !std::ranges::all_of(event, fits) || event.starts_with('-')) {
    throw UsageError("--event: '" + event + "' is no event: its name has small letters, digits and hyphens");
  }
  return event;
}

std::string nonce_by_chance() {
  std::random_device device;
  std::array<char, nonce_bytes> nonce{};
  std::ranges::generate(nonce, [&device] { return static_cast<char>(device()); });
  return {nonce.begin(), nonce.end()};
}

std::string nonce_in(const std::string& text) {
  std::string nonce((text.size() + 1) / 2, '\0');
  for (std::size_t at = 0; at < nonce.size(); ++at) {
    unsigned byte = 0;
    const char* const begin = text.data() + 2 * at;
    const auto [end, error] = std::from_chars(begin, std::min(begin + 2, text.data() + text.size()), byte, 16);
    if (error != std::errc{} || end != begin + 2) throw UsageError("--nonce: '" + text + "' is not hexadecimal");
    nonce[at] = static_cast<char>(byte);
  }
  if (nonce.size() < least_nonce_bytes || nonce.size() > greatest_nonce_bytes) {
    throw UsageError("--nonce: it has " + std::to_string(nonce.size()) + " bytes; 16 to 64 are wanted");
  }
  return nonce;
}

std::string nonce_of(const Told& told) {
  const std::string text = told.last("--nonce", "ORDAGO_NONCE").value_or("");
  return text.empty() ? nonce_by_chance() : nonce_in(text);
}

std::optional<Tls> tls_of(const Told& told, const Environment& environment) {
  const TlsFiles files{told.last("--tls-ca", "ORDAGO_TLS_CA"), told.last("--tls-cert", "ORDAGO_TLS_CERT"),
                       told.last("--tls-key", "ORDAGO_TLS_KEY")};
  const bool has_files = files.authorities || files.certificate || files.key;
  if (!has_files && !told.has("--tls") && environment("ORDAGO_TLS").empty()) return std::nullopt;
  return read_tls(files);
}

std::vector<std::string> games_of(const Told& told, const Program& program) {
  const auto games = told.all("--game");
  if (games.empty()) return program.games;
  for (const std::string& game : games) {
    if (!program.games.empty() && std::ranges::find(program.games, game) == program.games.end()) {
      throw UsageError("--game: this bot does not play '" + game + "'");
    }
  }
  return games;
}

Wishes wishes_of(const Told& told, const Program& program) {
  return {.name = told.last("--name").value_or(program.name),
          .version = program.version,
          .games = games_of(told, program),
          .nonce = nonce_of(told),
          .max_open_decisions = told.count("--decisions"),
          .max_matches = told.count("--matches"),
          .matches_in_all = told.count("--matches-in-all")};
}

}  // namespace

Settings settings_of(std::span<const char* const> words, const Environment& environment, const Program& program) {
  const Told told(words_of(words), environment);
  if (told.has("--help")) return {.help = true};
  return {.address = address_of(told),
          .token = token_of(told, environment),
          .event = event_of(told),
          .tls = tls_of(told, environment),
          .receipts = told.last("--receipts", "ORDAGO_RECEIPTS").value_or(""),
          .wishes = wishes_of(told, program),
          .verbose = told.has("--verbose")};
}

std::string help_text() {
  return R"(Connects to an Ordago server and plays.

  --address HOST:PORT    where the server is, or unix:PATH; default: $ORDAGO_ADDRESS, or 127.0.0.1:7447
  --token-file FILE      the file that holds the token to come in with; default: $ORDAGO_TOKEN_FILE
  --token TOKEN          the token itself, which other programs can see here; default: $ORDAGO_TOKEN
  --event NAME           the event to come in for; default: $ORDAGO_EVENT, or what the server plays at all times
  --nonce HEXADECIMAL    16 to 64 bytes that are mixed into the deals; default: $ORDAGO_NONCE, or chance
  --tls                  connect over TLS; default: if $ORDAGO_TLS is set
  --tls-ca FILE          PEM: whose word for the server is taken; default: $ORDAGO_TLS_CA, or those of the system
  --tls-cert FILE        PEM: the certificate of the bot, where the server asks for one; default: $ORDAGO_TLS_CERT
  --tls-key FILE         PEM: the private key for --tls-cert; default: $ORDAGO_TLS_KEY
  --receipts FILE        append what the server says of its event, to hold it to that; default: $ORDAGO_RECEIPTS
  --name NAME            how the bot is called where its token does not say it
  --game NAME            a game to play; may be repeated; default: all that the bot plays
  --matches NUMBER       how many matches to play at once; 0: no limit
  --decisions NUMBER     how many decisions to take at once; 0: no limit
  --matches-in-all NUMBER
                         after how many matches to take no more, and end when all are over; 0: never
  -v, --verbose          show every message that comes and goes
  -h, --help             show this

With ORDAGO_LAUNCHED=1 it ends when its standard input does, and leaves at once when it is told to stop.
Told to stop otherwise, by Ctrl-C or SIGTERM, it takes no more seats, plays its running matches to their end, and ends;
told once more it leaves at once.

exit codes: 0 the server said goodbye; 1 the bot failed; 2 the command line is wrong; 3 the server cannot be reached, or
ended the session otherwise; 130 stopped by the user
)";
}

}  // namespace ordago
