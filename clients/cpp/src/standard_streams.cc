#include "standard_streams.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <streambuf>
#include <string_view>

namespace ordago {
namespace {

/// The milliseconds to wait for a full pipe. A busy reader misses nothing, and a match loses no more time than this to
/// a reader that does not read.
constexpr int longest_wait = 100;

class StandardError : public std::streambuf {
 protected:
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    std::string_view left(text, static_cast<std::size_t>(size));
    while (!left.empty() && has_room()) {
      // A pipe that has room takes at least PIPE_BUF bytes.
      const auto written = ::write(STDERR_FILENO, left.data(), std::min<std::size_t>(left.size(), PIPE_BUF));
      if (written < 0 && errno != EINTR) break;
      left.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
    return size;
  }

  int_type overflow(int_type character) override {
    const char byte = traits_type::to_char_type(character);
    if (!traits_type::eq_int_type(character, traits_type::eof())) xsputn(&byte, 1);
    return traits_type::not_eof(character);
  }

 private:
  // After a wait in vain it does not wait again until the pipe has room.
  bool has_room() {
    pollfd descriptor{STDERR_FILENO, POLLOUT, 0};
    is_full_ = ::poll(&descriptor, 1, is_full_ ? 0 : longest_wait) == 0;
    return !is_full_;
  }

  bool is_full_ = false;
};

}  // namespace

void secure_standard_streams() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // open returns the lowest number that is free.
    if (::fcntl(number, F_GETFD) < 0 && errno == EBADF) [[maybe_unused]]
      const int opened = ::open("/dev/null", O_RDWR);
  }
  ::signal(SIGPIPE, SIG_IGN);
}

std::ostream& standard_error() {
  // Never destroyed: other threads may write while the process ends.
  static auto& stream = *new std::ostream(new StandardError);
  return stream;
}

}  // namespace ordago
