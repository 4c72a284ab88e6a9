#include "ordago/receipts.h"

#include <fcntl.h>
#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <string_view>
#include <system_error>

#include "files.h"
#include "json.h"
#include "usage_error.h"

namespace ordago {
namespace {

using json::quoted;

/// The longest receipt, which names all entrants of an event, is shorter.
constexpr std::size_t most_bytes = 1 << 20;

std::string hexadecimal(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    const auto code = static_cast<unsigned char>(byte);
    text += {digits[code >> 4], digits[code & 0xF]};
  }
  return quoted(text);
}

std::string object(const std::map<std::string, std::string>& members) {
  std::string json = "{";
  for (const auto& [key, value] : members) json.append(json.size() > 1 ? "," : "").append(quoted(key) + ":" + value);
  return json + '}';
}

std::string list(const google::protobuf::RepeatedPtrField<std::string>& texts) {
  std::string json = "[";
  for (const std::string& text : texts) json.append(json.size() > 1 ? "," : "").append(quoted(text));
  return json + ']';
}

std::string beacon(const v1::DescribeEventResponse& described) {
  if (!described.has_beacon()) return "null";
  const v1::Beacon& beacon = described.beacon();
  return object({{"source", quoted(beacon.source())},
                 {"round", std::to_string(beacon.round())},
                 {"value", hexadecimal(beacon.value())}});
}

}  // namespace

Keep appender(const std::string& path) {
  const auto close_file = [](const int* file) {
    ::close(*file);
    delete file;
  };
  const int opened = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (opened < 0) throw std::system_error(errno, std::generic_category(), path);
  const std::shared_ptr<const int> file(new int(opened), close_file);
  return [file, path](const std::string& line) {
    const std::string whole = line + "\n";
    const auto written = ::write(*file, whole.data(), whole.size());
    if (written != static_cast<ssize_t>(whole.size())) throw std::system_error(errno, std::generic_category(), path);
  };
}

void require_receipts(const std::string& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0 || !S_ISREG(about.st_mode) || about.st_size == 0) return;
  const std::string contents = contents_of(path, most_bytes);
  google::protobuf::Struct first;
  const auto status = google::protobuf::util::JsonStringToMessage(contents.substr(0, contents.find('\n')), &first);
  const std::string kind = status.ok() ? (*first.mutable_fields())["kind"].string_value() : "";
  if (kind != "event" && kind != "match_start" && kind != "match_end") {
    throw UsageError("it is there and holds no receipts");
  }
}

void Receipts::describe(const v1::DescribeEventResponse& described, const std::string& nonce) {
  event_.clear();
  if (described.event().empty()) return;
  event_ = {{"event", quoted(described.event())}, {"commitment", hexadecimal(described.commitment())}};
  keep({{"kind", quoted("event")},
        {"secret_digest", hexadecimal(described.secret_digest())},
        {"settings_digest", hexadecimal(described.settings_digest())},
        {"entrants", list(described.entrants())},
        {"beacon", beacon(described)},
        {"nonce", hexadecimal(nonce)}});
}

void Receipts::begin(const v1::MatchStart& start) {
  if (start.ledger_length() == 0) return;
  const auto seat = static_cast<int>(start.seat());
  const bool is_named = start.seat() < static_cast<std::uint32_t>(start.players_size());
  keep({{"kind", quoted("match_start")},
        {"match_id", quoted(start.match_id())},
        {"name", quoted(is_named ? start.players(seat).name() : "")},
        {"length", std::to_string(start.ledger_length())},
        {"head", hexadecimal(start.ledger_head())}});
}

void Receipts::end(const v1::MatchStart& start, const v1::MatchEnd& end) {
  if (end.ledger_length() == 0) return;
  keep({{"kind", quoted("match_end")},
        {"match_id", quoted(start.match_id())},
        {"record_digest", hexadecimal(end.record_digest())},
        {"length", std::to_string(end.ledger_length())},
        {"head", hexadecimal(end.ledger_head())}});
}

void Receipts::keep(Fields fields) const {
  fields.insert(event_.begin(), event_.end());
  keep_(object(fields));
}

}  // namespace ordago
