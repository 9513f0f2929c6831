#include "read/safetensors.h"

#include <doctest/doctest.h>

#include <string>

#include "base/file.h"
#include "base/kinds.h"
#include "read/model.h"
#include "read/weights.h"

namespace espalier::read {
namespace {

std::string file_of(const std::string& header, const std::string& data) {
  std::string out;
  for (int b = 0; b < 8; ++b) out += static_cast<char>(header.size() >> (8 * b) & 0xff);
  return out + header + data;
}

std::string error(const std::string& bytes) {
  Sources sources;
  Diagnostics diagnostics;
  CHECK(!read_safetensors(&sources, "w.safetensors", bytes, &diagnostics));
  if (diagnostics.ok()) return "none";
  return std::string(kind_id(diagnostics.all()[0].kind)) + " " +
         std::string(kind_name(diagnostics.all()[0].kind)) + ": " + diagnostics.all()[0].message;
}

TEST_CASE("what is written is read") {
  std::map<std::string, ops::Tensor> tensors;
  tensors["a"] = {Dtype::f32, {2}, {1.5, -0.1}, {}};
  tensors["b"] = {Dtype::f64, {}, {0.1}, {}};
  tensors["c"] = {Dtype::i64, {3}, {}, {-1, 2, INT64_MIN}};
  tensors["d"] = {Dtype::i8, {1, 2}, {}, {-128, 127}};
  tensors["e"] = {Dtype::f16, {1}, {0.1}, {}};
  tensors["f"] = {Dtype::bf16, {1}, {3.140625}, {}};
  tensors["g\"h"] = {Dtype::boolean, {2, 0}, {}, {}};
  tensors["i"] = {Dtype::i32, {1}, {}, {-7}};
  const std::string bytes = safetensors_bytes(tensors);
  Sources sources;
  Diagnostics diagnostics;
  const auto file = read_safetensors(&sources, "w", bytes, &diagnostics);
  REQUIRE(file);
  CHECK(file->tensors().size() == 8);
  for (const auto& [name, tensor] : tensors) {
    const auto loaded = file->load(name, &diagnostics);
    REQUIRE(loaded);
    CHECK(loaded->dtype == tensor.dtype);
    CHECK(loaded->shape == tensor.shape);
    CHECK(loaded->i == tensor.i);
  }
  CHECK(file->load("a", &diagnostics)->f[1] == static_cast<double>(-0.1f));
  CHECK(file->load("e", &diagnostics)->f[0] == 0.0999755859375);
  CHECK(file->load("f", &diagnostics)->f[0] == 3.140625);
}

TEST_CASE("files that lie") {
  CHECK(error("abc").starts_with("E402 weights-truncated: w.safetensors: 3 bytes"));
  CHECK(error(std::string(7, '\0') + "\x01").starts_with("E403 huge-header"));
  CHECK(error(std::string("\x09\0\0\0\0\0\0\0{}", 10)).starts_with("E402 weights-truncated"));
  CHECK(error(file_of("{", "")).starts_with("E404 weights-header"));
  CHECK(error(file_of("[]", "")).starts_with("E404 weights-header"));
  CHECK(error(file_of("", "")).starts_with("E404 weights-header"));
  const std::string a = R"("a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]})";
  CHECK(error(file_of('{' + a + ',' + a + '}', "1234")).starts_with("E405 repeated-tensor"));
  CHECK(error(file_of(R"({"a":{"dtype":"F32"}})", "")).starts_with("E406 tensor-entry"));
  CHECK(error(file_of(R"({"a":3})", "")).starts_with("E406 tensor-entry"));
  CHECK(error(file_of(R"({"a":{"dtype":"F31","shape":[1],"data_offsets":[0,4]}})", "1234"))
            .starts_with("E407 tensor-dtype"));
  CHECK(error(file_of(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", "1234"))
            .starts_with("E406 tensor-entry"));
  CHECK(
      error(file_of(R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]}})",
                    "1234"))
          .starts_with("E408 tensor-size"));
  CHECK(error(file_of('{' + a + '}', "123")) ==
        "E409 tensor-range: w.safetensors: tensor 'a' takes bytes 0 to 4 of 3 bytes of data");
  CHECK(error(file_of(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", "1234")) ==
        "E410 tensor-bytes: w.safetensors: tensor 'a' takes 4 bytes, its shape 8");
  const std::string b = R"("b":{"dtype":"I8","shape":[1],"data_offsets":[0,1]})";
  CHECK(
      error(file_of('{' + b + R"(,"c":{"dtype":"F32","shape":[1],"data_offsets":[1,5]}})", "12345"))
          .starts_with("E411 tensor-alignment"));
  CHECK(error(file_of('{' + a + ',' + b + '}', "1234")) ==
        "E412 tensor-overlap: w.safetensors: tensors 'b' and 'a' overlap");
  CHECK(error(file_of('{' + a + '}', "12345")).starts_with("E413 tensor-gap"));
  CHECK(error(file_of(R"({"a":{"dtype":"I8","shape":[1],"data_offsets":[1,2]}})", "12"))
            .starts_with("E413 tensor-gap"));
}

TEST_CASE("weights of a model") {
  const TempFolder folder;
  Sources sources;
  Diagnostics diagnostics;
  std::map<std::string, ops::Tensor> tensors;
  tensors["W"] = {Dtype::f64, {2, 2}, {0.1, 1, 2, 3}, {}};
  tensors["layer:0"] = {Dtype::f32, {2}, {1, 2}, {}};
  tensors["n"] = {Dtype::i64, {}, {}, {300}};
  REQUIRE(write_file(folder.path() / "w.safetensors", safetensors_bytes(tensors)));
  const auto load = [&](const std::string& params) -> std::string {
    diagnostics = {};
    const auto module = read_model_text(
        &sources, "m.json",
        R"js({"espalier": 1, "name": "m", "dims": {"h": 2}, "functions": {}, "weights": {"files":
        ["w.safetensors"], "tensors": {"cell.b": "layer:0"}}, "params": {"cell": "(b: f32[h])", )js" +
            params + "}}",
        &diagnostics);
    REQUIRE(module);
    const auto weights = load_weights(*module, folder.path(), &sources, &diagnostics);
    if (weights) {
      CHECK(weights->at("cell.b").f == std::vector<double>{1, 2});
      return "";
    }
    const std::string message = diagnostics.all()[0].message;
    const std::size_t path = message.find(folder.path().string());
    return std::string(kind_id(diagnostics.all()[0].kind)) + " " +
           std::string(kind_name(diagnostics.all()[0].kind)) + ": " +
           (path == std::string::npos
                ? message
                : message.substr(0, path) +
                      message.substr(path + folder.path().string().size() + 1));
  };
  CHECK(load(R"("W": "f32[h, 2]", "n": "i32")") == "");
  CHECK(load(R"("w": "f32")") ==
        "E414 missing-tensor: no tensor 'w' for parameter 'w', f32, in w.safetensors; did you mean "
        "'W'?");
  CHECK(load(R"("W": "f32[h, 3 * h]")") ==
        "E415 tensor-shape: tensor 'W' of w.safetensors has shape [2, 2], parameter 'W' is f32[h = "
        "2, 3 * h = 6]");
  CHECK(load(R"("n": "f32")") ==
        "E416 tensor-kind: tensor 'n' of w.safetensors is I64, parameter 'n' is f32");
}

TEST_CASE("a missing weight file") {
  Sources sources;
  Diagnostics diagnostics;
  CHECK(!read_safetensors(&sources, std::filesystem::path("/nonexistent/w"), &diagnostics));
  CHECK(diagnostics.all()[0].kind == Kind::weights_unreadable);
}

}  // namespace
}  // namespace espalier::read
