// Finds tensors in a safetensors file in memory: read, mapped, or linked into the program.
#ifndef ESPALIER_V0_1_SAFETENSORS_H
#define ESPALIER_V0_1_SAFETENSORS_H

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace espalier {
inline namespace v0_1 {

// The file: 8 bytes of length, little-endian; that many bytes of JSON; data. The JSON is an object
// of name: {"dtype": .., "shape": [..], "data_offsets": [begin, end]}.
class Safetensors {
 public:
  struct Bytes {
    const unsigned char* data = nullptr;  // null: not there, or of another type or size
    std::size_t size = 0;
  };

  Safetensors(const void* file, std::size_t size) : file_(static_cast<const char*>(file)) {
    if (!file || size < 8) return;
    std::uint64_t length = 0;
    for (int i = 7; i >= 0; i--) length = length << 8 | static_cast<unsigned char>(file_[i]);
    if (length > size - 8) return;
    header_end_ = 8 + static_cast<std::size_t>(length);
    size_ = size;
  }

  // The tensor of that name, if its type is `dtype` ("F32") and it has `bytes` bytes.
  Bytes find(const char* name, const char* dtype, std::size_t bytes) const {
    std::size_t at = 8;
    if (!take(at, '{')) return {};
    while (at < header_end_) {
      const bool here = string_is(at, name);
      if (!skip_string(at) || !take(at, ':')) return {};
      if (here) return read_tensor(at, dtype, bytes);
      if (!skip_value(at) || !take(at, ',')) return {};
    }
    return {};
  }

 private:
  char peek(std::size_t at) const { return at < header_end_ ? file_[at] : '\0'; }

  void skip_space(std::size_t& at) const {
    while (peek(at) == ' ' || peek(at) == '\n' || peek(at) == '\t' || peek(at) == '\r') at++;
  }

  bool take(std::size_t& at, char c) const {
    skip_space(at);
    if (peek(at) != c) return false;
    at++;
    skip_space(at);
    return true;
  }

  // One character of a string, which may be escaped; moves `at` behind it. Of \u only ASCII.
  char character(std::size_t& at) const {
    const char c = peek(at++);
    if (c != '\\') return c;
    const char escaped = peek(at++);
    switch (escaped) {
      case 'b': return '\b';
      case 'f': return '\f';
      case 'n': return '\n';
      case 'r': return '\r';
      case 't': return '\t';
      case 'u': break;
      default: return escaped;
    }
    int code = 0;
    for (int i = 0; i < 4; i++) {
      const char h = peek(at++);
      code = code * 16 + (h >= 'a' ? h - 'a' + 10 : h >= 'A' ? h - 'A' + 10 : h - '0');
    }
    return static_cast<char>(code);
  }

  bool string_is(std::size_t at, const char* text) const {
    if (peek(at++) != '"') return false;
    for (; peek(at) != '"'; text++)
      if (at >= header_end_ || *text == '\0' || character(at) != *text) return false;
    return *text == '\0';
  }

  bool skip_string(std::size_t& at) const {
    if (peek(at++) != '"') return false;
    while (at < header_end_ && peek(at) != '"') at += peek(at) == '\\' ? 2 : 1;
    return peek(at++) == '"';
  }

  bool skip_value(std::size_t& at) const {
    int depth = 0;
    for (; at < header_end_; at++) {
      const char c = peek(at);
      if (c == '"') {
        if (!skip_string(at)) return false;
        at--;
      } else if (c == '{' || c == '[') {
        depth++;
      } else if (c == '}' || c == ']') {
        if (depth-- == 0) return true;
      } else if (c == ',' && depth == 0) {
        return true;
      }
    }
    return false;
  }

  bool number(std::size_t& at, std::size_t* value) const {
    skip_space(at);
    *value = 0;
    const std::size_t begin = at;
    for (; peek(at) >= '0' && peek(at) <= '9'; at++) {
      if (*value > (static_cast<std::size_t>(-1) - 9) / 10) return false;
      *value = *value * 10 + static_cast<std::size_t>(peek(at) - '0');
    }
    return at > begin;
  }

  Bytes read_tensor(std::size_t at, const char* dtype, std::size_t bytes) const {
    std::size_t begin = 0, end = 0;
    bool typed = false, placed = false;
    if (!take(at, '{')) return {};
    do {
      const bool is_dtype = string_is(at, "dtype"), is_place = string_is(at, "data_offsets");
      if (!skip_string(at) || !take(at, ':')) return {};
      if (is_dtype) typed = string_is(at, dtype);
      if (is_place) {
        placed = take(at, '[') && number(at, &begin) && take(at, ',') && number(at, &end) &&
                 take(at, ']');
        if (!placed) return {};
      } else if (!skip_value(at)) {
        return {};
      }
    } while (take(at, ','));
    const std::size_t room = size_ - header_end_;
    if (!typed || !placed || begin > end || end > room || end - begin != bytes) return {};
    return {reinterpret_cast<const unsigned char*>(file_) + header_end_ + begin, bytes};
  }

  const char* file_;
  std::size_t header_end_ = 0;
  std::size_t size_ = 0;
};

inline bool little_endian() {
  const std::uint16_t one = 1;
  unsigned char first;
  std::memcpy(&first, &one, 1);
  return first == 1;
}

// The tensor as an array: in place where its bytes are as the processor wants them, else turned
// round or moved into `buffer`, which moves on by a multiple of 8 bytes. Null where it is missing,
// or where a buffer is wanted and there is none.
template <class T>
const T* open_tensor(const Safetensors& file, const char* name, const char* dtype,
                     std::size_t elements, unsigned char** buffer) {
  const std::size_t bytes = elements * sizeof(T);
  const Safetensors::Bytes found = file.find(name, dtype, bytes);
  if (!found.data) return nullptr;
  const bool aligned = reinterpret_cast<std::uintptr_t>(found.data) % alignof(T) == 0;
  if (aligned && (little_endian() || sizeof(T) == 1)) return reinterpret_cast<const T*>(found.data);
  if (!*buffer) return nullptr;
  unsigned char* const to = *buffer;
  const bool turn = !little_endian();
  for (std::size_t i = 0; i < bytes; i += sizeof(T))
    for (std::size_t b = 0; b < sizeof(T); b++)
      to[i + b] = found.data[i + (turn ? sizeof(T) - 1 - b : b)];
  *buffer += (bytes + 7) / 8 * 8;
  return reinterpret_cast<const T*>(to);
}

}  // namespace v0_1
}  // namespace espalier

#endif
