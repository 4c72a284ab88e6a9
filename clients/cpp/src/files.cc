#include "files.h"

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include "usage_error.h"

namespace ordago {

std::string reason_of(int error_number) {
  std::string reason = std::generic_category().message(error_number);
  if (!reason.empty()) reason[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(reason[0])));
  return reason;
}

std::string contents_of(const std::string& path, std::size_t greatest_bytes) {
  const auto close = [](std::FILE* file) { std::fclose(file); };
  const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rbe"), close);
  if (!file) throw UsageError(reason_of(errno));
  std::string contents(greatest_bytes, '\0');
  contents.resize(std::fread(contents.data(), 1, contents.size(), file.get()));
  if (std::ferror(file.get())) throw UsageError(reason_of(errno));
  return contents;
}

}  // namespace ordago
