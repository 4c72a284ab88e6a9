#include "tls_look.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <optional>
#include <thread>

#include "certificates.h"

namespace ordago {
namespace {

using namespace std::chrono_literals;

constexpr long day = 24 * 60 * 60;

/// A certificate and its key.
struct Issued {
  Certificate certificate;
  Key key;

  std::string pem() const {
    const Releasing<BIO, BIO_free> output(BIO_new(BIO_s_mem()));
    PEM_write_bio_X509(output.get(), certificate.get());
    char* text = nullptr;
    const auto size = static_cast<std::size_t>(BIO_get_mem_data(output.get(), &text));
    return {text, size};
  }
};

struct Terms {
  std::string names = "IP:127.0.0.1,DNS:localhost";
  long begins = -day;
  long ends = day;
};

void extend(X509* certificate, int extension, const std::string& value) {
  const Releasing<X509_EXTENSION, X509_EXTENSION_free> made(
      X509V3_EXT_conf_nid(nullptr, nullptr, extension, value.c_str()));
  X509_add_ext(certificate, made.get(), -1);
}

/// Issues a certificate; one of an authority without an issuer.
Issued issue(const Issued* issuer = nullptr, const Terms& terms = {}) {
  Issued issued{Certificate(X509_new()), Key(EVP_EC_gen("P-256"))};
  X509* const certificate = issued.certificate.get();
  X509_set_version(certificate, X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), issuer ? 2 : 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate), terms.begins);
  X509_gmtime_adj(X509_getm_notAfter(certificate), terms.ends);
  const auto* const name = reinterpret_cast<const unsigned char*>(issuer ? "server" : "authority");
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_ASC, name, -1, -1, 0);
  X509_set_issuer_name(certificate, X509_get_subject_name(issuer ? issuer->certificate.get() : certificate));
  X509_set_pubkey(certificate, issued.key.get());
  if (issuer) {
    extend(certificate, NID_subject_alt_name, terms.names);
  } else {
    extend(certificate, NID_basic_constraints, "critical,CA:TRUE");
  }
  X509_sign(certificate, issuer ? issuer->key.get() : issued.key.get(), EVP_sha256());
  return issued;
}

/// A server on a port of 127.0.0.1 that does the same with each connection.
class Server {
 public:
  explicit Server(std::function<void(int)> serve) : listening_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const bare = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(listening_, bare, size), 0);
    ::listen(listening_, 8);
    ::getsockname(listening_, bare, &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this, serve = std::move(serve)] {
      for (int peer; (peer = ::accept(listening_, nullptr, nullptr)) >= 0; ::close(peer)) serve(peer);
    });
  }
  ~Server() {
    ::shutdown(listening_, SHUT_RDWR);
    thread_.join();
    ::close(listening_);
  }

  Address address() const { return parse_address("127.0.0.1:" + std::to_string(port_)); }

 private:
  int listening_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

std::function<void(int)> says(const std::string& bytes) {
  return [bytes](int peer) {
    std::array<char, 1024> dropped{};
    [[maybe_unused]] const auto got = ::read(peer, dropped.data(), dropped.size());
    ::send(peer, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  };
}

std::function<void(int)> speaks_tls(const Issued& issued, bool is_mutual = false) {
  return [&issued, is_mutual](int peer) {
    const Releasing<SSL_CTX, SSL_CTX_free> context(SSL_CTX_new(TLS_server_method()));
    SSL_CTX_use_certificate(context.get(), issued.certificate.get());
    SSL_CTX_use_PrivateKey(context.get(), issued.key.get());
    if (is_mutual) {
      SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
      SSL_CTX_set_max_proto_version(context.get(), TLS1_2_VERSION);  // In which it refuses the handshake itself.
    }
    const Releasing<SSL, SSL_free> ssl(SSL_new(context.get()));
    SSL_set_fd(ssl.get(), peer);
    SSL_accept(ssl.get());
  };
}

class TlsLook : public testing::Test {
 protected:
  static void SetUpTestSuite() { ::signal(SIGPIPE, SIG_IGN); }

  /// What is found at a server with such a certificate by a bot that trusts its authority.
  std::optional<std::string> found(const Terms& terms, bool is_mutual = false) const {
    const Issued issued = issue(&authority, terms);
    const Server server(speaks_tls(issued, is_mutual));
    return look_for_tls_mistake(server.address(), trusting);
  }

  const Issued authority = issue();
  const Tls trusting{.authorities = authority.pem()};
  const std::string speaks = "speaks TLS: connect with --tls, or with --tls-ca FILE if it has an authority of its own";
};

TEST_F(TlsLook, FindsNothingAtAServerWithAGoodCertificate) {
  EXPECT_EQ(found({}), std::nullopt);
  EXPECT_EQ(found({}, true), std::nullopt);
}

TEST_F(TlsLook, FindsThatAServerSpeaksTls) {
  const Issued issued = issue(&authority);
  for (const bool is_mutual : {false, true}) {
    const Server server(speaks_tls(issued, is_mutual));
    EXPECT_EQ(look_for_tls_mistake(server.address(), std::nullopt), speaks);
  }
}

TEST_F(TlsLook, TakesAnAlertForTlsToo) {
  const Server server(says("\x15\x03\x03" + std::string("\0\2\2\x28", 4)));
  EXPECT_EQ(look_for_tls_mistake(server.address(), std::nullopt), speaks);
}

TEST_F(TlsLook, FindsThatAServerDoesNotSpeakTls) {
  const Server server(says(std::string("\0\0\6\4\0\0\0\0\0\0\3\0\0\0\x64", 15)));
  EXPECT_EQ(look_for_tls_mistake(server.address(), trusting), "does not speak TLS: connect without --tls");
  EXPECT_EQ(look_for_tls_mistake(server.address(), std::nullopt), std::nullopt);
}

TEST_F(TlsLook, FindsWhatIsWrongWithACertificate) {
  EXPECT_EQ(found({.begins = -2 * day, .ends = -day}), "has a certificate that has expired");
  EXPECT_EQ(found({.begins = day, .ends = 2 * day}), "has a certificate that is not valid yet");
  EXPECT_EQ(found({.names = "DNS:example.org"}), "has a certificate for other names than 127.0.0.1");
}

TEST_F(TlsLook, FindsAnAuthorityThatIsNotTrusted) {
  const std::string sentence =
      "has a certificate of an authority that is not trusted here: name its file with --tls-ca";
  const Issued other = issue(), issued = issue(&other), own = issue();
  const Server server(speaks_tls(issued)), self_signed(speaks_tls(own));
  EXPECT_EQ(look_for_tls_mistake(server.address(), trusting), sentence);
  EXPECT_EQ(look_for_tls_mistake(server.address(), Tls{}), sentence);
  // It is for no name at all, which goes before its authority.
  EXPECT_EQ(look_for_tls_mistake(self_signed.address(), trusting), "has a certificate for other names than 127.0.0.1");
}

TEST_F(TlsLook, FindsNothingInWhatIsNeither) {
  const Server server(says("HTTP/1.1 400 Bad Request\r\n\r\n"));
  EXPECT_EQ(look_for_tls_mistake(server.address(), trusting), std::nullopt);
  EXPECT_EQ(look_for_tls_mistake(server.address(), std::nullopt), std::nullopt);
}

TEST_F(TlsLook, FindsNothingWhereNobodyListens) {
  for (const char* const address : {"127.0.0.1:1", "unix:/nowhere", "a.name.that.is.not.there.invalid:1"}) {
    EXPECT_EQ(look_for_tls_mistake(parse_address(address), trusting), std::nullopt);
  }
}

TEST_F(TlsLook, TakesTwoSecondsAtMost) {
  const Server server([](int peer) {
    char byte = 0;
    while (::read(peer, &byte, 1) > 0) {
    }
  });
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(look_for_tls_mistake(server.address(), trusting), std::nullopt);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 3s);
}

}  // namespace
}  // namespace ordago
