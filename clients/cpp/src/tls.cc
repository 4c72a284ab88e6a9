#include "tls.h"

#include "certificates.h"
#include "files.h"
#include "usage_error.h"

namespace ordago {
namespace {

constexpr std::size_t greatest_bytes = 16 << 20;

std::string read(const Given& file) {
  try {
    return contents_of(file.value, greatest_bytes);
  } catch (const UsageError& error) {
    throw UsageError(file.source + ": cannot read " + file.value + ": " + error.what());
  }
}

std::string read_authorities(const Given& file) {
  std::string authorities = read(file);
  if (certificates_in(authorities).empty()) {
    throw UsageError(file.source + ": " + file.value + " holds no certificates, as PEM");
  }
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
  tls.certificate = read(*files.certificate);
  tls.key = read(*files.key);
  const auto certificates = certificates_in(tls.certificate);
  const Key key = key_in(tls.key);
  if (certificates.empty() || !key || X509_check_private_key(certificates[0].get(), key.get()) != 1) {
    throw UsageError(files.certificate->source + ", " + files.key->source + ": " + files.certificate->value + " and " +
                     files.key->value + " are no certificate and its key, as PEM and without a password");
  }
  return tls;
}

}  // namespace ordago
