#include "read/weights.h"

#include <fmt/format.h>

#include <vector>

#include "base/kinds.h"
#include "read/object.h"
#include "read/safetensors.h"

namespace espalier::read {

namespace {

// "f32[hidden, embed] = [48, 32]", with the numbers where names hide them.
std::string shown(const fun::Type& type) {
  std::vector<std::int64_t> shape;
  bool named = false;
  for (const fun::Dim& dim : type.shape) {
    shape.push_back(dim.value());
    named = named || !dim.is_literal();
  }
  return named ? fmt::format("{} = [{}]", fun::str(type), fmt::join(shape, ", ")) : fun::str(type);
}

bool fits(const StoredTensor& tensor, const fun::Type& type) {
  if (tensor.shape.size() != type.shape.size()) return false;
  for (std::size_t i = 0; i < tensor.shape.size(); ++i)
    if (tensor.shape[i] != type.shape[i].value()) return false;
  return true;
}

class Loader {
 public:
  Loader(const fun::Module& module, Diagnostics* diagnostics)
      : module_(module), diagnostics_(diagnostics) {}

  bool open(Sources* sources, const std::filesystem::path& folder) {
    bool ok = true;
    for (const std::string& name : module_.weights.files) {
      Result<Safetensors> file = read_safetensors(sources, folder / name, diagnostics_);
      ok = ok && file;
      if (file) files_.push_back(std::move(*file));
    }
    return ok;
  }

  bool load(const fun::Named& param, const fun::Leaf& leaf) {
    const auto renamed = module_.weights.renamed.find(leaf.name);
    const std::string& name =
        renamed == module_.weights.renamed.end() ? leaf.name : renamed->second;
    const Safetensors* file = find(param, name);
    if (!file) return false;
    const StoredTensor& stored = file->tensors().at(name);
    if (!fits(stored, *leaf.type)) {
      diagnostics_
          ->error(Kind::tensor_shape, param.loc,
                  fmt::format("tensor '{}' of {} has shape [{}], parameter '{}' is {}", name,
                              file->name(), fmt::join(stored.shape, ", "), leaf.name,
                              shown(*leaf.type)))
          .notes.push_back({stored.loc, "the tensor"});
      return false;
    }
    const Result<ops::Tensor> tensor = file->load(name, diagnostics_);
    if (!tensor) return false;
    if (tensor->real() != is_float(leaf.type->dtype)) {
      diagnostics_->error(Kind::tensor_kind, param.loc,
                          fmt::format("tensor '{}' of {} is {}, parameter '{}' is {}", name,
                                      file->name(), stored.dtype, leaf.name, fun::str(*leaf.type)));
      return false;
    }
    out_[leaf.name] = ops::convert(*tensor, leaf.type->dtype);
    return true;
  }

  std::map<std::string, ops::Tensor> take() { return std::move(out_); }

 private:
  const Safetensors* find(const fun::Named& param, const std::string& name) {
    const Safetensors* found = nullptr;
    std::vector<std::string> known;
    for (const Safetensors& file : files_) {
      for (const auto& [tensor, stored] : file.tensors()) known.push_back(tensor);
      if (!file.tensors().count(name)) continue;
      if (found) {
        diagnostics_->error(
            Kind::repeated_tensor, param.loc,
            fmt::format("tensor '{}' is in {} and in {}", name, found->name(), file.name()));
        return nullptr;
      }
      found = &file;
    }
    if (!found)
      diagnostics_->error(
          Kind::missing_tensor, param.loc,
          fmt::format("no tensor '{}' in {}{}", name, fmt::join(module_.weights.files, ", "),
                      suggestion(name, known)));
    return found;
  }

  const fun::Module& module_;
  Diagnostics* diagnostics_;
  std::vector<Safetensors> files_;
  std::map<std::string, ops::Tensor> out_;
};

}  // namespace

Result<std::map<std::string, ops::Tensor>> load_weights(const fun::Module& module,
                                                        const std::filesystem::path& folder,
                                                        Sources* sources,
                                                        Diagnostics* diagnostics) {
  Loader loader(module, diagnostics);
  bool ok = loader.open(sources, folder);
  if (!ok) return Failed{};
  for (const fun::Named& param : module.params)
    for (const fun::Leaf& leaf : fun::leaves(param)) ok = loader.load(param, leaf) && ok;
  if (!ok) return Failed{};
  return loader.take();
}

}  // namespace espalier::read
