// A look at a server to which the first connection failed: does TLS stand in the way?
#pragma once

#include <optional>
#include <string>

#include "address.h"
#include "tls.h"

namespace ordago {

/// Returns why no connection will ever work, as the end of a sentence that begins "the server at ADDRESS"; nothing if
/// no reason is found within two seconds. It connects once or twice, and sends neither token nor certificate.
std::optional<std::string> look_for_tls_mistake(const Address& address, const std::optional<Tls>& tls);

}  // namespace ordago
