#include "json.h"

#include <google/protobuf/util/json_util.h>

#include "text.h"

namespace ordago::json {

std::string quoted(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  if (!is_utf8(text)) return quoted(visible(text));
  std::string json = "\"";
  for (const char character : text) {
    const auto code = static_cast<unsigned char>(character);
    if (code < 0x20) {
      json += std::string("\\u00") + digits[code >> 4] + digits[code & 0xF];
    } else {
      if (character == '"' || character == '\\') json += '\\';
      json += character;
    }
  }
  return json + '"';
}

std::string object(const std::vector<Field>& members) {
  std::string json = "{";
  for (const auto& [key, value] : members) {
    json.append(json.size() > 1 ? ", " : "").append(quoted(key)).append(": ").append(value);
  }
  return json + '}';
}

std::string list(const std::vector<std::string>& values) {
  std::string json = "[";
  for (const std::string& value : values) json.append(json.size() > 1 ? ", " : "").append(value);
  return json + ']';
}

std::string message(const google::protobuf::Message& message) {
  std::string json;
  // It only fails for an Any of a type that is unknown here; the message is still worth showing.
  if (google::protobuf::util::MessageToJsonString(message, &json).ok()) return json;
  return quoted(message.ShortDebugString());
}

}  // namespace ordago::json
