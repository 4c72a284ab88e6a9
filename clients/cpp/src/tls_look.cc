#include "tls_look.h"

#include <fcntl.h>
#include <netdb.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <future>
#include <memory>
#include <set>
#include <string_view>
#include <thread>
#include <vector>

#include "certificates.h"

namespace ordago {
namespace {

using namespace std::chrono_literals;
using Deadline = std::chrono::steady_clock::time_point;

constexpr auto longest_look = 2s;
/// The time for a first message of TLS. A server in the clear may wait for the rest of what it takes for a frame, and
/// there has to be time left to send it a preface.
constexpr auto longest_silence = 1s;

/// The address of a socket, as the system takes it.
struct Endpoint {
  sockaddr_storage bytes{};
  socklen_t size = 0;

  Endpoint(const void* address, std::size_t length) : size(static_cast<socklen_t>(length)) {
    std::memcpy(&bytes, address, length);
  }
};
using Endpoints = std::vector<Endpoint>;

Endpoint unix_endpoint(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  return {&address, sizeof address};
}

Endpoints resolve(const std::string& host, const std::string& port) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  if (::getaddrinfo(host.c_str(), port.c_str(), &hints, &found) != 0) return {};
  const Releasing<addrinfo, ::freeaddrinfo> list(found);
  Endpoints endpoints;
  for (const addrinfo* at = found; at; at = at->ai_next) endpoints.emplace_back(at->ai_addr, at->ai_addrlen);
  return endpoints;
}

// getaddrinfo knows no deadline, so it is left to a thread that may outlive the look.
Endpoints endpoints_of(const Address& address, Deadline deadline) {
  if (address.is_unix()) return {unix_endpoint(address.path)};
  std::packaged_task<Endpoints()> task(
      [host = address.host, port = std::to_string(address.port)] { return resolve(host, port); });
  auto endpoints = task.get_future();
  std::thread(std::move(task)).detach();
  return endpoints.wait_until(deadline) == std::future_status::ready ? endpoints.get() : Endpoints{};
}

class Socket {
 public:
  explicit Socket(const Endpoint& endpoint)
      : number_(::socket(endpoint.bytes.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) {}
  ~Socket() {
    if (number_ >= 0) ::close(number_);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  int number() const { return number_; }

  bool connect(const Endpoint& endpoint, Deadline deadline) const {
    if (::connect(number_, reinterpret_cast<const sockaddr*>(&endpoint.bytes), endpoint.size) == 0) return true;
    int error = 0;
    socklen_t size = sizeof error;
    return errno == EINPROGRESS && wait_for(POLLOUT, deadline) &&
           ::getsockopt(number_, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
  }

  /// Waits until something can be read or written; false if the deadline passes.
  bool wait_for(short events, Deadline deadline) const {
    pollfd descriptor{number_, events, 0};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    return ::poll(&descriptor, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0))) > 0;
  }

  /// Reads up to `size` bytes; fewer only if the server closes the connection or the deadline passes.
  std::string read(std::size_t size, Deadline deadline) const {
    std::string bytes(size, '\0');
    std::size_t count = 0;
    while (count < size && wait_for(POLLIN, deadline)) {
      const auto got = ::read(number_, bytes.data() + count, size - count);
      if (got <= 0) break;
      count += static_cast<std::size_t>(got);
    }
    bytes.resize(count);
    return bytes;
  }

 private:
  int number_;
};

std::unique_ptr<Socket> connect(const Endpoints& endpoints, Deadline deadline) {
  for (const Endpoint& endpoint : endpoints) {
    auto socket = std::make_unique<Socket>(endpoint);
    if (socket->connect(endpoint, deadline)) return socket;
  }
  return nullptr;
}

/// The findings of a handshake.
struct Handshake {
  /// The server sent a message or an alert of TLS.
  bool is_tls = false;
  /// The errors of its certificate, X509_V_ERR_….
  std::set<int> errors{};
};

void note_message(int is_sent, int, int type, const void*, std::size_t, SSL*, void* handshake) {
  if (!is_sent && (type == SSL3_RT_HANDSHAKE || type == SSL3_RT_ALERT))
    static_cast<Handshake*>(handshake)->is_tls = true;
}

// All errors are noted, as if the certificate were good: of several the table below has the first.
int note_error(int is_good, X509_STORE_CTX* verification) {
  const auto* ssl =
      static_cast<const SSL*>(X509_STORE_CTX_get_ex_data(verification, SSL_get_ex_data_X509_STORE_CTX_idx()));
  auto* const handshake = static_cast<Handshake*>(SSL_get_app_data(ssl));
  if (!is_good) handshake->errors.insert(X509_STORE_CTX_get_error(verification));
  return 1;
}

void trust(SSL_CTX* context, const std::string& authorities) {
  X509_STORE* const store = SSL_CTX_get_cert_store(context);
  X509_STORE_set_flags(store, X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_TRUSTED_FIRST);  // As gRPC does.
  if (!authorities.empty()) {
    for (const Certificate& certificate : certificates_in(authorities)) X509_STORE_add_cert(store, certificate.get());
  } else if (const char* const path = std::getenv("GRPC_DEFAULT_SSL_ROOTS_FILE_PATH")) {
    SSL_CTX_load_verify_locations(context, path, nullptr);
  } else {
    SSL_CTX_set_default_verify_paths(context);
  }
}

/// The host that a certificate has to be for; gRPC takes Unix sockets for those of localhost.
std::string host_of(const Address& address) { return address.is_unix() ? "localhost" : address.host; }

void expect_host(SSL* ssl, const std::string& host) {
  X509_VERIFY_PARAM* const expected = SSL_get0_param(ssl);
  if (X509_VERIFY_PARAM_set1_ip_asc(expected, host.c_str()) == 1) return;
  X509_VERIFY_PARAM_set1_host(expected, host.c_str(), 0);
  SSL_set_tlsext_host_name(ssl, host.c_str());
}

void shake_hands(SSL* ssl, const Socket& socket, const Handshake& handshake, Deadline end) {
  const Deadline first = std::chrono::steady_clock::now() + longest_silence;
  while (true) {
    const int result = SSL_connect(ssl);
    const int error = SSL_get_error(ssl, result);
    const bool wants_more = error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE;
    const short events = error == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT;
    if (!wants_more || !socket.wait_for(events, handshake.is_tls ? end : std::min(first, end))) return;
  }
}

Handshake handshake_with(const Socket& socket, const std::string& host, const std::string& authorities, Deadline end) {
  Handshake handshake;
  const Releasing<SSL_CTX, SSL_CTX_free> context(SSL_CTX_new(TLS_client_method()));
  trust(context.get(), authorities);
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, note_error);
  const Releasing<SSL, SSL_free> ssl(SSL_new(context.get()));
  SSL_set_app_data(ssl.get(), &handshake);
  SSL_set_msg_callback(ssl.get(), note_message);
  SSL_set_msg_callback_arg(ssl.get(), &handshake);
  constexpr unsigned char protocols[] = {2, 'h', '2'};
  SSL_set_alpn_protos(ssl.get(), protocols, sizeof protocols);
  expect_host(ssl.get(), host);
  SSL_set_fd(ssl.get(), socket.number());
  shake_hands(ssl.get(), socket, handshake, end);
  return handshake;
}

std::optional<std::string> certificate_mistake(const Handshake& handshake, const std::string& host) {
  const auto has = [&handshake](std::initializer_list<int> errors) {
    return std::ranges::any_of(errors, [&](int error) { return handshake.errors.contains(error); });
  };
  if (has({X509_V_ERR_CERT_HAS_EXPIRED})) return "has a certificate that has expired";
  if (has({X509_V_ERR_CERT_NOT_YET_VALID})) return "has a certificate that is not valid yet";
  if (has({X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH})) {
    return "has a certificate for other names than " + host;
  }
  if (has({X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
           X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
           X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_CERT_UNTRUSTED, X509_V_ERR_CERT_SIGNATURE_FAILURE})) {
    return "has a certificate of an authority that is not trusted here: name its file with --tls-ca";
  }
  return std::nullopt;
}

/// Says whether a server answers in HTTP/2 without TLS: its first frame has to be SETTINGS.
bool answers_in_the_clear(const Socket& socket, Deadline deadline) {
  constexpr std::string_view preface("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0", 33);
  if (::send(socket.number(), preface.data(), preface.size(), MSG_NOSIGNAL) < 0) return false;
  const std::string head = socket.read(9, deadline);
  return head.size() == 9 && head[3] == '\4' && head.ends_with(std::string_view("\0\0\0\0", 4));
}

}  // namespace

std::optional<std::string> look_for_tls_mistake(const Address& address, const std::optional<Tls>& tls) {
  const Deadline end = std::chrono::steady_clock::now() + longest_look;
  const Endpoints endpoints = endpoints_of(address, end);
  const auto socket = connect(endpoints, end);
  if (!socket) return std::nullopt;
  const std::string host = host_of(address);
  const Handshake handshake = handshake_with(*socket, host, tls ? tls->authorities : "", end);
  if (tls && handshake.is_tls) return certificate_mistake(handshake, host);
  if (handshake.is_tls)
    return "speaks TLS: connect with --tls, or with --tls-ca FILE if it has an authority of its own";
  if (!tls) return std::nullopt;
  const auto again = connect(endpoints, end);
  if (!again || !answers_in_the_clear(*again, end)) return std::nullopt;
  return "does not speak TLS: connect without --tls";
}

}  // namespace ordago
