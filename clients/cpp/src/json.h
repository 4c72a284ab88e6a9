// Values in JSON.
#pragma once

#include <google/protobuf/message.h>

#include <string>
#include <string_view>
#include <vector>

#include "ordago/log.h"

namespace ordago::json {

/// Returns a text as a string. Bytes that are no UTF-8 are escaped as in `visible`.
std::string quoted(std::string_view text);

/// Returns an object with members in their order.
std::string object(const std::vector<Field>& members);

/// Returns a list of values.
std::string list(const std::vector<std::string>& values);

/// Returns a message in protobuf's JSON form, in one line.
std::string message(const google::protobuf::Message& message);

}  // namespace ordago::json
