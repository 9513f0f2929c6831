#include "read/weights.h"

#include <fmt/format.h>

#include <vector>

#include "base/kinds.h"
#include "read/object.h"
#include "read/safetensors.h"

namespace espalier::read {

namespace {

bool fits(const std::vector<std::int64_t>& shape, const fun::Type& type) {
  if (shape.size() != type.shape.size()) return false;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i] != type.shape[i].value()) return false;
  return true;
}

bool fits_transposed(const std::vector<std::int64_t>& shape, const fun::Type& type) {
  return shape.size() == 2 && fits({shape[1], shape[0]}, type);
}

// "W" of "encoder.layers/W".
std::string last_part(const std::string& name) {
  const std::size_t end = name.find_last_of("./");
  return end == std::string::npos ? name : name.substr(end + 1);
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
    const Safetensors* file = find(param, leaf, name);
    if (!file) return false;
    const StoredTensor& stored = file->tensors().at(name);
    if (!fits(stored.shape, *leaf.type)) {
      diagnostics_
          ->error(Kind::tensor_shape, param.loc,
                  fmt::format("tensor '{}' of {} has shape [{}], parameter '{}' is {}{}", name,
                              file->name(), fmt::join(stored.shape, ", "), leaf.name,
                              fun::show(*leaf.type),
                              fits_transposed(stored.shape, *leaf.type)
                                  ? "; the tensor is stored transposed"
                                  : ""))
          .notes.push_back({stored.loc, "the tensor"});
      return false;
    }
    const Result<ops::Tensor> tensor = file->load(name, diagnostics_);
    if (!tensor) return false;
    if (tensor->real() != is_float(leaf.type->dtype)) {
      diagnostics_->error(
          Kind::tensor_kind, param.loc,
          fmt::format("tensor '{}' of {} is {}, parameter '{}' is {}", name, file->name(),
                      stored.dtype, leaf.name, fun::show(*leaf.type)));
      return false;
    }
    out_[leaf.name] = ops::convert(*tensor, leaf.type->dtype);
    return true;
  }

  std::map<std::string, ops::Tensor> take() { return std::move(out_); }

 private:
  const Safetensors* find(const fun::Named& param, const fun::Leaf& leaf, const std::string& name) {
    const Safetensors* found = nullptr;
    for (const Safetensors& file : files_) {
      if (!file.tensors().count(name)) continue;
      if (found) {
        diagnostics_->error(
            Kind::repeated_tensor, param.loc,
            fmt::format("tensor '{}' is in {} and in {}", name, found->name(), file.name()));
        return nullptr;
      }
      found = &file;
    }
    if (!found) missing(param, leaf, name);
    return found;
  }

  void missing(const fun::Named& param, const fun::Leaf& leaf, const std::string& name) {
    const std::string meant = meant_by(name);
    Diagnostic& report = diagnostics_->error(
        Kind::missing_tensor, param.loc,
        fmt::format("no tensor '{}' for parameter '{}', {}, in {}{}", name, leaf.name,
                    fun::show(*leaf.type), fmt::join(module_.weights.files, ", "),
                    meant.empty() ? names_there() : fmt::format("; did you mean '{}'?", meant)));
    if (meant.empty()) return;
    for (const Safetensors& file : files_)
      if (const auto it = file.tensors().find(meant); it != file.tensors().end())
        report.notes.push_back(
            {it->second.loc,
             fmt::format("its shape is [{}]; \"weights\": {{\"files\": [..], \"tensors\": "
                         "{{\"{}\": \"{}\"}}}} names it",
                         fmt::join(it->second.shape, ", "), leaf.name, meant)});
  }

  // "; there are 'a', 'b', ..", a few of all tensors.
  std::string names_there() const {
    std::vector<std::string> names;
    for (const Safetensors& file : files_)
      for (const auto& [tensor, stored] : file.tensors())
        if (names.size() < 5) names.push_back('\'' + tensor + '\'');
    std::size_t count = 0;
    for (const Safetensors& file : files_) count += file.tensors().size();
    if (count == 0) return "; there are no tensors";
    return fmt::format("; there {} {}{}", count == 1 ? "is" : "are", fmt::join(names, ", "),
                       count > names.size() ? ", .." : "");
  }

  // The tensor of the nearest name, or the only one that differs in what stands before a point.
  std::string meant_by(const std::string& name) const {
    std::vector<std::string> known, ends;
    for (const Safetensors& file : files_)
      for (const auto& [tensor, stored] : file.tensors()) {
        known.push_back(tensor);
        if (last_part(tensor) == last_part(name)) ends.push_back(tensor);
      }
    const std::string near = nearest(name, known);
    return near.empty() && ends.size() == 1 ? ends[0] : near;
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
