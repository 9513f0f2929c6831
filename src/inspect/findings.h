// Collects what lint finds, once each, in the order of files and places. Only lint's own files
// include this: it needs Clang.
#pragma once

#include <clang/Basic/SourceManager.h>

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "base/diagnostic.h"

namespace espalier::inspect {

class Findings {
 public:
  Findings(std::string folder, Sources& sources);

  // Is the place in a file of the package (not in a system header, not in a macro of one)?
  bool inside(const clang::SourceManager&, clang::SourceLocation) const;
  void add(Kind, const clang::SourceManager&, clang::SourceLocation, std::string message);
  // Also outside of the package's files.
  void add_anywhere(Kind, const clang::SourceManager&, clang::SourceLocation, std::string message);
  void add_nowhere(Kind, std::string message);
  void report(Diagnostics&);

 private:
  struct Finding {
    std::string file;
    unsigned offset = 0;
    Kind kind{};
    std::string message;
    auto order() const { return std::tie(file, offset, kind, message); }
    bool operator<(const Finding& other) const { return order() < other.order(); }
    bool operator==(const Finding& other) const { return order() == other.order(); }
  };

  std::string folder_;
  Sources& sources_;
  std::vector<Finding> findings_;
  std::map<std::string, std::string> texts_;  // of files with findings
};

}  // namespace espalier::inspect
