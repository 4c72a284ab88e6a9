// Texts from outside: the command line and the server.
#pragma once

#include <string>
#include <string_view>

namespace ordago {

/// Returns a text with its control characters, and bytes that are no UTF-8, escaped, so that a terminal only shows it.
std::string visible(std::string_view text);

/// Says whether a text is UTF-8, as all texts of the contract have to be.
bool is_utf8(std::string_view text);

}  // namespace ordago
