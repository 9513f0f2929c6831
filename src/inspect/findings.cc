#ifdef ESPALIER_HAS_CLANG

#include "inspect/findings.h"

#include <algorithm>
#include <filesystem>

namespace espalier::inspect {

namespace {

std::string real_path(const std::string& path) {
  std::error_code error;
  const auto real = std::filesystem::weakly_canonical(path, error);
  return error ? path : real.string();
}

std::string file_of(const clang::SourceManager& sources, clang::SourceLocation at) {
  return real_path(sources.getFilename(sources.getExpansionLoc(at)).str());
}

}  // namespace

Findings::Findings(std::string folder, Sources& sources)
    : folder_(real_path(folder) + "/"), sources_(sources) {}

bool Findings::inside(const clang::SourceManager& sources, clang::SourceLocation at) const {
  return at.isValid() && file_of(sources, at).starts_with(folder_);
}

void Findings::add(Kind kind, const clang::SourceManager& sources, clang::SourceLocation at,
                   std::string message) {
  if (inside(sources, at)) add_anywhere(kind, sources, at, std::move(message));
}

void Findings::add_anywhere(Kind kind, const clang::SourceManager& sources,
                            clang::SourceLocation at, std::string message) {
  const clang::SourceLocation place = sources.getExpansionLoc(at);
  const std::string file = file_of(sources, at);
  findings_.push_back({file, sources.getFileOffset(place), kind, std::move(message)});
  texts_.emplace(file, sources.getBufferData(sources.getFileID(place)).str());
}

void Findings::add_nowhere(Kind kind, std::string message) {
  findings_.push_back({"", 0, kind, std::move(message)});
}

void Findings::report(Diagnostics& diagnostics) {
  std::sort(findings_.begin(), findings_.end());
  findings_.erase(std::unique(findings_.begin(), findings_.end()), findings_.end());
  std::map<std::string, std::int32_t> numbers;
  for (const Finding& f : findings_) {
    Loc loc;
    if (!f.file.empty()) {
      if (!numbers.count(f.file)) {
        const bool ours = f.file.starts_with(folder_);
        numbers[f.file] =
            sources_.add(ours ? f.file.substr(folder_.size()) : f.file, texts_[f.file]);
      }
      loc.file = numbers[f.file];
      loc.offset = f.offset;
    }
    diagnostics.error(f.kind, loc, f.message);
  }
}

}  // namespace espalier::inspect

#endif
