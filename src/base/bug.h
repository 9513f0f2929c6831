// A mistake of ours, as against a mistake of the user's, which is a diagnostic.
#pragma once

#include <stdexcept>
#include <string>

namespace espalier {

// Thrown where an invariant of Espalier itself does not hold; caught in one place, the driver,
// which names the pass at work, prints the program and exits with 2. Never thrown for a user's
// mistake.
class Bug : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

// Throws Bug(what) unless `holds`.
inline void require(bool holds, const char* what) {
  if (!holds) throw Bug(what);
}

}  // namespace espalier
