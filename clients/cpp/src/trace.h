// Stack traces.
#pragma once

#include <ostream>
#include <string>

namespace ordago {

/// Shows the stack of the caller. Without names made readable it allocates nothing, so a handler of signals may use it.
void show_stack(std::ostream& out, bool can_allocate);

/// Returns the name of a type or function as in the source.
std::string demangled(const char* name);

/// While it lives, the place where an exception is thrown on this thread is remembered: a `catch` comes too late, since
/// the stack is unwound by then.
class ThrowTracer {
 public:
  ThrowTracer();
  ~ThrowTracer();
  ThrowTracer(const ThrowTracer&) = delete;
  ThrowTracer& operator=(const ThrowTracer&) = delete;
};

/// Returns the stack of the last throw of this thread under a ThrowTracer; empty if there was none.
std::string last_throw();

}  // namespace ordago
