#include "certificates.h"

#include <openssl/err.h>

namespace ordago {
namespace {

using Input = Releasing<BIO, BIO_free>;

Input input_of(const std::string& pem) { return Input(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()))); }

int no_password(char*, int, int, void*) { return -1; }

}  // namespace

std::vector<Certificate> certificates_in(const std::string& pem) {
  std::vector<Certificate> certificates;
  const Input input = input_of(pem);
  while (X509* const certificate = PEM_read_bio_X509(input.get(), nullptr, no_password, nullptr)) {
    certificates.emplace_back(certificate);
  }
  ERR_clear_error();  // The end of the text counts as one.
  return certificates;
}

Key key_in(const std::string& pem) {
  return Key(PEM_read_bio_PrivateKey(input_of(pem).get(), nullptr, no_password, nullptr));
}

}  // namespace ordago
