#include "address.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "usage_error.h"

namespace ordago {
namespace {

constexpr std::string_view unix_prefix = "unix:";
/// The room that `sockaddr_un` has, less the NUL behind the path.
constexpr std::size_t longest_path = 107;
/// The limits of DNS.
constexpr std::size_t longest_name = 253;
constexpr std::size_t longest_label = 63;

// Unlike those of <cctype> these do not depend on the locale.
bool is_digit(char character) { return character >= '0' && character <= '9'; }

bool is_alphanumeric(char character) {
  const char lower = static_cast<char>(character | 0x20);
  return is_digit(character) || (lower >= 'a' && lower <= 'z');
}

void require(bool holds, const char* otherwise) {
  if (!holds) throw UsageError(otherwise);
}

std::string parse_path(std::string_view path) {
  require(!path.empty(), "the path is empty");
  require(!path.starts_with("//") && !path.starts_with('@'), "the path begins with // or @");
  constexpr std::string_view forbidden("\0\r\n", 3);
  require(path.find_first_of(forbidden) == path.npos, "the path has a NUL or a line end");
  require(path.size() <= longest_path, "the path is longer than 107 bytes");
  return std::string(path);
}

bool is_ip(int family, std::string_view text) {
  in6_addr address{};  // It has room for an IPv4 address too.
  // inet_pton stops at a NUL.
  return text.find('\0') == text.npos && ::inet_pton(family, std::string(text).c_str(), &address) == 1;
}

bool is_label(std::string_view label) {
  if (label.empty() || label.size() > longest_label || label.front() == '-' || label.back() == '-') return false;
  return std::ranges::all_of(label, [](char sign) { return is_alphanumeric(sign) || sign == '-' || sign == '_'; });
}

bool is_name(std::string_view name) {
  if (name.size() > longest_name) return false;
  while (true) {
    const auto dot = name.find('.');
    const std::string_view label = name.substr(0, dot);
    if (!is_label(label)) return false;
    // A last label of digits would make it an IPv4 address of another notation, such as 127.1.
    if (dot == name.npos) return !std::ranges::all_of(label, is_digit);
    name.remove_prefix(dot + 1);
  }
}

std::uint16_t parse_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  const bool is_number = error == std::errc{} && end == text.data() + text.size() && text.front() != '0';
  require(is_number, "the port is not a number from 1 to 65535");
  return port;
}

/// An address of which host and port are still to be looked at.
using Parts = std::pair<std::string_view, std::string_view>;

Parts split_brackets(std::string_view text) {
  const auto end = text.find(']');
  require(end != text.npos && is_ip(AF_INET6, text.substr(1, end - 1)), "the brackets do not hold an IPv6 address");
  const std::string_view rest = text.substr(end + 1);
  require(rest.size() > 1 && rest.front() == ':', "it has no port");
  return {text.substr(1, end - 1), rest.substr(1)};
}

Parts split_colon(std::string_view text) {
  const auto colon = text.find(':');
  require(colon == text.rfind(':'), "only an IPv6 address has more than one colon, in brackets");
  require(colon != text.npos && colon + 1 < text.size(), "it has no port");
  return {text.substr(0, colon), text.substr(colon + 1)};
}

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view kept = "/-._~";
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string encoded;
  for (const char character : text) {
    const auto code = static_cast<unsigned char>(character);
    if (is_alphanumeric(character) || kept.find(character) != kept.npos) {
      encoded += character;
    } else {
      encoded += {'%', digits[code >> 4], digits[code & 0xF]};
    }
  }
  return encoded;
}

}  // namespace

Address parse_address(std::string_view text) {
  require(!text.empty(), "it is empty");
  if (text.starts_with(unix_prefix)) {
    return {.text = std::string(text), .path = parse_path(text.substr(unix_prefix.size()))};
  }
  require(text.find("://") == text.npos, "it is a URL");
  const bool has_brackets = text.starts_with('[');
  const auto [host, port_text] = has_brackets ? split_brackets(text) : split_colon(text);
  const std::uint16_t port = parse_port(port_text);
  require(has_brackets || is_name(host) || is_ip(AF_INET, host), "the host is neither a name nor an IPv4 address");
  return {.text = std::string(text), .host = std::string(host), .port = port};
}

// With a scheme of its own: gRPC would take the host of "dns:80" for one.
std::string grpc_target(const Address& address) {
  if (address.is_unix()) return "unix:" + percent_encoded(address.path);
  const bool is_ip6 = address.host.find(':') != address.host.npos;
  return "dns:///" + (is_ip6 ? "%5B" + address.host + "%5D" : address.host) + ":" + std::to_string(address.port);
}

}  // namespace ordago
