#include "tls.h"

#include "certificates.h"
#include "files.h"
#include "usage_error.h"

namespace ordago {
namespace {

constexpr std::size_t greatest_bytes = 16 << 20;

std::string read(const std::string& path, const std::string& option) {
  try {
    return contents_of(path, greatest_bytes);
  } catch (const FileError& error) {
    throw FileError(option + ": cannot read " + path + ": " + error.what());
  }
}

std::string read_authorities(const std::string& path) {
  std::string authorities = read(path, "--tls-ca");
  if (certificates_in(authorities).empty()) throw FileError("--tls-ca: " + path + " holds no certificates, as PEM");
  return authorities;
}

}  // namespace

Tls read_tls(const TlsFiles& files) {
  if (files.certificate.has_value() != files.key.has_value()) {
    throw FileError("--tls-cert and --tls-key belong together");
  }
  Tls tls;
  if (files.authorities) tls.authorities = read_authorities(*files.authorities);
  if (!files.certificate) return tls;
  tls.certificate = read(*files.certificate, "--tls-cert");
  tls.key = read(*files.key, "--tls-key");
  const auto certificates = certificates_in(tls.certificate);
  const Key key = key_in(tls.key);
  if (certificates.empty() || !key || X509_check_private_key(certificates[0].get(), key.get()) != 1) {
    throw FileError("--tls-cert, --tls-key: " + *files.certificate + " and " + *files.key +
                    " are no certificate and its key, as PEM and without a password");
  }
  return tls;
}

}  // namespace ordago
