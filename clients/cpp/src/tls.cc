#include "tls.h"

#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <memory>

#include "files.h"
#include "usage_error.h"

namespace ordago {
namespace {

constexpr std::size_t greatest_bytes = 16 << 20;

template <auto release>
struct Releasing {
  template <typename Resource>
  void operator()(Resource* resource) const {
    release(resource);
  }
};
using Certificate = std::unique_ptr<X509, Releasing<X509_free>>;
using Key = std::unique_ptr<EVP_PKEY, Releasing<EVP_PKEY_free>>;
using Input = std::unique_ptr<BIO, Releasing<BIO_free>>;

Input input_of(const std::string& pem) { return Input(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()))); }

Certificate certificate_in(const std::string& pem) {
  return Certificate(PEM_read_bio_X509(input_of(pem).get(), nullptr, nullptr, nullptr));
}

int no_password(char*, int, int, void*) { return -1; }

Key key_in(const std::string& pem) {
  return Key(PEM_read_bio_PrivateKey(input_of(pem).get(), nullptr, no_password, nullptr));
}

std::string read(const std::string& path, const std::string& option) {
  try {
    return contents_of(path, greatest_bytes);
  } catch (const UsageError& error) {
    throw UsageError(option + ": cannot read " + path + ": " + error.what());
  }
}

std::string read_authorities(const std::string& path) {
  std::string authorities = read(path, "--tls-ca");
  if (!certificate_in(authorities)) throw UsageError("--tls-ca: " + path + " holds no certificates, as PEM");
  return authorities;
}

}  // namespace

Tls read_tls(const TlsFiles& files) {
  if (files.certificate.has_value() != files.key.has_value()) {
    throw UsageError("--tls-cert and --tls-key belong together");
  }
  Tls tls;
  if (files.authorities) tls.authorities = read_authorities(*files.authorities);
  if (!files.certificate) return tls;
  tls.certificate = read(*files.certificate, "--tls-cert");
  tls.key = read(*files.key, "--tls-key");
  const Certificate certificate = certificate_in(tls.certificate);
  const Key key = key_in(tls.key);
  if (!certificate || !key || X509_check_private_key(certificate.get(), key.get()) != 1) {
    throw UsageError("--tls-cert, --tls-key: " + *files.certificate + " and " + *files.key +
                     " are no certificate and its key, as PEM and without a password");
  }
  return tls;
}

}  // namespace ordago
