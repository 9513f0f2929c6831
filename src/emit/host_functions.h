// The functions of the host code, each printed once however many entries ask for it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/names.h"
#include "loop/api_names.h"

namespace espalier::emit {

class HostFunctions {
 public:
  explicit HostFunctions(const loop::ApiNames&);

  // The name of a function whose text is text(name): of one that is there, or of a new one, called
  // `name`, or name_ENTRY where another function has that name.
  std::string add(const std::string& name, const std::string& entry,
                  const std::function<std::string(const std::string&)>& text);

  std::string take_text();  // of all that was added since

 private:
  struct Function {
    std::string wanted, name, text;
  };
  std::vector<Function> functions_;
  std::size_t taken_ = 0;
  Names names_;
};

}  // namespace espalier::emit
