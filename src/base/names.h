// Identifiers that are legal and free in the emitted C++, whatever the model called a thing.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace espalier {

// A legal identifier as near to `wanted` as can be: bytes that no identifier has become '_', runs
// of '_' one of them, none leads; a keyword or macro gets a '_' behind it, a leading digit a 'v'
// before it, nothing at all is "unnamed"; more than 60 bytes end in a hash of the whole.
std::string legal_identifier(std::string_view wanted);

// Whether `name` is a keyword or alternative token of C, C++20 or CUDA, or a name that C's headers
// or a compiler may define as a macro.
bool is_reserved_word(std::string_view name);

// Hands out identifiers, each once: the legal form of what is wanted, with _2, _3 ... behind it
// where that is taken. Names given out within a Scope are free again at its end, and differ from
// all names around them, so that nothing is shadowed.
class Names {
 public:
  Names() : levels_(1) {}

  class [[nodiscard]] Scope {
   public:
    explicit Scope(Names* names) : names_(names) { names_->levels_.emplace_back(); }
    ~Scope() { names_->levels_.pop_back(); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Names* names_;
  };
  Scope scope() { return Scope(this); }

  std::string unique(std::string_view wanted);
  // Takes `name` as it stands; false where it was taken already.
  bool reserve(std::string_view name);
  bool taken(std::string_view name) const;
  std::vector<std::string> all() const;  // taken names, of outer scopes first

 private:
  struct Level {
    std::set<std::string, std::less<>> names;
    std::map<std::string, int, std::less<>> last_suffix;  // of a name, within this level
  };
  std::vector<Level> levels_;
};

}  // namespace espalier
