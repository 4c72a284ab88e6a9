#include "trace.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string_view>
#include <typeinfo>

namespace ordago {
namespace {

constexpr int frames_shown = 64;

struct Stack {
  std::array<void*, frames_shown> frames{};
  int count = 0;

  void take() { count = ::backtrace(frames.data(), frames_shown); }
};

/// Shows a frame: its function, or the place in a file that addr2line takes.
void show_frame(std::ostream& out, void* frame, bool can_allocate) {
  Dl_info place{};
  const bool is_known = ::dladdr(frame, &place) != 0;
  if (is_known && place.dli_sname) {
    out << "  at " << (can_allocate ? demangled(place.dli_sname).c_str() : place.dli_sname) << "\n";
  } else if (is_known) {
    const auto offset = static_cast<const char*>(frame) - static_cast<const char*>(place.dli_fbase);
    out << "  at " << place.dli_fname << "+0x" << std::hex << offset << std::dec << "\n";
  } else {
    out << "  at ?\n";
  }
}

bool is_throw(void* frame) {
  Dl_info place{};
  return ::dladdr(frame, &place) != 0 && place.dli_sname && std::string_view(place.dli_sname) == "__cxa_throw";
}

/// Shows a stack, from the place on that threw, if one did: the frames above are those of the C++ library and the SDK.
void show(std::ostream& out, const Stack& stack, bool can_allocate) {
  const auto end = stack.frames.begin() + stack.count;
  const auto thrown = std::find_if(stack.frames.begin(), end, is_throw);
  for (auto frame = thrown == end ? stack.frames.begin() : thrown + 1; frame != end; ++frame) {
    show_frame(out, *frame, can_allocate);
  }
}

thread_local bool is_tracing = false;
thread_local Stack thrown;

}  // namespace

std::string demangled(const char* name) {
  const auto release = [](char* text) { std::free(text); };
  const std::unique_ptr<char, decltype(release)> text(abi::__cxa_demangle(name, nullptr, nullptr, nullptr), release);
  return text ? text.get() : name;
}

void show_stack(std::ostream& out, bool can_allocate) {
  Stack stack;
  stack.take();
  show(out, stack, can_allocate);
}

ThrowTracer::ThrowTracer() {
  is_tracing = true;
  thrown.count = 0;
}

ThrowTracer::~ThrowTracer() { is_tracing = false; }

std::string last_throw() {
  std::ostringstream out;
  show(out, thrown, true);
  std::string text = out.str();
  if (!text.empty()) text.pop_back();  // The end of the last line.
  return text;
}

}  // namespace ordago

// The function that `throw` calls. Weak, so that a program that links the C++ library statically keeps that of the
// library, and has no such stacks. Its name is given to the linker alone: GCC declares it by itself, in another form.
extern "C" [[gnu::weak, noreturn]] void ordago_throw(void* exception, std::type_info* type,
                                                     void (*destroy)(void*)) asm("__cxa_throw");

void ordago_throw(void* exception, std::type_info* type, void (*destroy)(void*)) {
  using Throw = void (*)(void*, std::type_info*, void (*)(void*));
  static const auto next = reinterpret_cast<Throw>(::dlsym(RTLD_NEXT, "__cxa_throw"));
  if (ordago::is_tracing) ordago::thrown.take();
  next(exception, type, destroy);
  __builtin_unreachable();
}
