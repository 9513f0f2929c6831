// Files of tensors in the safetensors format (https://huggingface.co/docs/safetensors): 8 bytes of
// header length, a JSON header, the data.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"
#include "ops/tensor.h"

namespace espalier::read {

// A tensor of a file whose header has been checked.
struct StoredTensor {
  std::string dtype;  // as the file spells it: "BF16"
  std::vector<std::int64_t> shape;
  std::size_t begin = 0, end = 0;  // bytes of the file
  Loc loc;                         // of its entry in the header
};

class Safetensors {
 public:
  const std::string& name() const { return name_; }  // of the file
  const std::map<std::string, StoredTensor>& tensors() const { return tensors_; }
  // The values as stored; F64, F32, F16, BF16, I64, I32, I8 and BOOL.
  Result<ops::Tensor> load(const std::string& tensor, Diagnostics*) const;

 private:
  friend class SafetensorsReader;
  std::string name_, bytes_;
  std::map<std::string, StoredTensor> tensors_;
};

// A file that lies about itself in any way is refused: header longer than the file or than 100 MB,
// not JSON, tensors twice, overlapping, out of range, misaligned, with gaps, with another size than
// their shape's.
Result<Safetensors> read_safetensors(Sources*, const std::filesystem::path&, Diagnostics*);
Result<Safetensors> read_safetensors(Sources*, std::string name, std::string bytes, Diagnostics*);

// The file's bytes, the same for the same tensors: by size of the element, then by name. Floats are
// rounded to their dtype.
std::string safetensors_bytes(const std::map<std::string, ops::Tensor>&);

}  // namespace espalier::read
