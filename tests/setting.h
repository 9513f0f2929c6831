// A variable of the environment, for as long as this lives.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace espalier::test {

class Setting {
 public:
  Setting(std::string name, const std::string& value) : name_(std::move(name)) {
    if (const char* set = std::getenv(name_.c_str())) before_ = set;
    setenv(name_.c_str(), value.c_str(), 1);
  }
  ~Setting() {
    if (before_)
      setenv(name_.c_str(), before_->c_str(), 1);
    else
      unsetenv(name_.c_str());
  }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  std::string name_;
  std::optional<std::string> before_;
};

}  // namespace espalier::test
