// Certificates and keys, by OpenSSL.
#pragma once

#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <memory>
#include <string>
#include <vector>

namespace ordago {

template <auto release>
struct Release {
  template <typename Resource>
  void operator()(Resource* resource) const {
    release(resource);
  }
};
/// Owns what a library in C made.
template <typename Resource, auto release>
using Releasing = std::unique_ptr<Resource, Release<release>>;

using Certificate = Releasing<X509, X509_free>;
using Key = Releasing<EVP_PKEY, EVP_PKEY_free>;

/// Returns the certificates in a text in PEM, up to the first that cannot be read.
std::vector<Certificate> certificates_in(const std::string& pem);

/// Returns the first private key in a text in PEM; null if there is none without a password.
Key key_in(const std::string& pem);

}  // namespace ordago
