#include "emit/embedded.h"

#include <string>

#include "base/bug.h"

namespace espalier::emit {

namespace {

struct EmbeddedFile {
  std::string_view path, bytes;
};

constexpr EmbeddedFile files[] = {
#include "embedded_files.inc"  // written by embed.cmake
};

}  // namespace

std::string_view embedded_file(std::string_view path) {
  for (const EmbeddedFile& file : files)
    if (file.path == path) return file.bytes;
  throw Bug("no embedded file " + std::string(path));
}

}  // namespace espalier::emit
