// Names that are no identifiers of C++, or none that are free: packages with them compile, and the
// manifest leads from one to the other and back.
#include <nlohmann/json.hpp>

#include "loop/api_names.h"
#include "read/safetensors.h"
#include "tests/run/examples.h"
#include "tests/run/package.h"
#include "tests/unit/emit/sum_module.h"

namespace espalier::test {
namespace {

using Json = nlohmann::ordered_json;

// ---- The name table of a package

void check_table(const std::string& manifest) {
  const Json table = Json::parse(manifest)["names"];
  CHECK(table["to_source"].size() == table["from_source"].size());
  for (const auto& [what, names] : table["to_source"].items()) {
    INFO(what);
    const Json& back = table["from_source"][what];
    CHECK(back.size() == names.size());
    for (const auto& [name, identifier] : names.items()) {
      INFO(name << " is " << identifier);
      CHECK(back[identifier.get<std::string>()] == name);
    }
  }
}

void check_compiles(const emit::Package& package) {
  const TempFolder folder;
  write_files(package, folder.path());
  for (const char* compiler : {"g++ -std=c++20", "clang++ -std=c++17"}) {
    const Finished built = run_command("cd " + folder.path().string() + " && for f in *.cpp; do " +
                                       compiler + strict_warnings + "-fsyntax-only $f; done");
    CHECK_MESSAGE(built.output.empty(), compiler << ": " << built.output.substr(0, 3000));
  }
  const Finished c = run_command("cd " + folder.path().string() +
                                 " && gcc -std=c99 -Wall -Wextra -Wpedantic -Werror -fsyntax-only "
                                 "-x c *_c.h");
  CHECK_MESSAGE(c.output.empty(), c.output.substr(0, 2000));
  check_table(files_of(package).at("manifest.json"));
}

// ---- Names that the language allows

const std::vector<std::string> language_names = {
    // keywords of C++20 and C, CUDA, macros, the library
    "class", "int", "float", "new", "delete", "operator", "template", "requires", "co_await",
    "char8_t", "restrict", "_Bool", "asm", "threadIdx", "warpSize", "dim3", "__global__", "NULL",
    "EOF", "INFINITY", "I", "M_PI", "errno", "assert", "linux", "unix", "printf", "malloc", "y0",
    "std", "main", "espalier",
    // what the emitted code calls things
    "model", "weights", "buffer", "forest", "calls", "out", "workspace", "bytes", "launch", "into",
    "most", "count", "number", "size", "linearize", "take_workspace", "take_prepared", "Prepared",
    "Shape", "shape_of", "status_of", "Counts", "Classes", "Input", "Limits", "limits_of", "Status",
    "Code", "ok", "describe", "prepare", "g", "w", "m", "k", "in", "node", "item", "first", "row",
    "original", "member", "members", "barrier", "n", "i0", "check_calls", "check_all", "variant",
    "nodes", "has", "field", "variants", "classes", "class_of", "pointers", "threads",
    // not in ASCII, and alike once they are
    "\xc3\xa9", "\xc3\xa8", "na\xc3\xafve", "na_ve", "\xe5\x90\x8d", "_", "__", "_a", "a_", "a__b",
    "a_b", "A_B", "aB", "x_2", "x"};

std::string long_name(char c) { return std::string(500, c); }

std::vector<std::string> names_of_globals() {
  std::vector<std::string> names;
  for (const std::string& name : language_names)
    if (name != "in" && name != "_") names.push_back(name);  // reserved words of the language
  names.push_back(long_name('a'));
  names.push_back(long_name('a') + "b");
  return names;
}

// Globals are dims, parameters, functions and types, which cannot share a name.
std::string quoted(const std::string& name) { return Json(name).dump(); }

std::string hostile_model(std::size_t turn) {
  const std::vector<std::string> all = names_of_globals();
  std::string dims, params, functions, entries, variants, cases, sum;
  const auto add = [](std::string* to, const std::string& text) {
    *to += (to->empty() ? "" : ",\n") + text;
  };
  for (std::size_t i = 0; i < all.size(); i++) {
    const std::string name = quoted(all[i]);
    // One variant a name, whose fields have the name as well.
    const bool long_form = all[i] == "variants";  // of a type
    if ((i + turn) % 3 == 2 && !long_form)
      add(&variants, name + ": {" + name + ": \"" + (i % 3 ? "f32" : "i32") + "\"}");
    if ((i + turn) % 3 == 2 && !long_form)
      add(&cases, quoted(all[i] + "(v)") + ": " + (i % 3 ? "\"v\"" : "\"cast(v, f32)\""));
    switch ((i + turn) % 3) {
      case 0: add(&dims, name + ": " + std::to_string(i + 1)); break;
      case 1:
        add(&params, name + ": \"f32\"");
        sum += " + " + all[i];
        break;
      default:
        if (i % 5 != 0) break;
        add(&functions, name + ": {\"args\": {" + quoted(all[(i * 7 + 3) % all.size()]) +
                            ": \"Tree\"}, \"returns\": \"(" + all[(i * 5 + 1) % all.size()] +
                            ": f32)\", \"body\": \"(" + all[(i * 5 + 1) % all.size()] +
                            " = total_of(" + all[(i * 7 + 3) % all.size()] + "))\"}");
        add(&entries, name + ": {}");
    }
  }
  return "{\"espalier\": 1, \"name\": " + quoted(all[turn]) + ",\n\"dims\": {" + dims +
         "},\n\"types\": {\"Tree\": {" + variants + "}},\n\"params\": {" + params +
         "},\n\"functions\": {\"total_of\": {\"args\": {\"t\": \"Tree\"}, \"returns\": \"f32\", "
         "\"body\": [{\"let\": \"v\", \"be\": {\"match\": \"t\", \"cases\": {" +
         cases + "}}}, \"v" + sum + "\"]},\n" + functions + "},\n\"entries\": {" + entries + "}}";
}

TEST_CASE("whatever the language allows as a name, the package compiles") {
  for (const std::size_t turn : {0, 1, 2}) {
    const TempFolder folder;
    driver::Options options;
    options.model = (folder.path() / "model.json").string();
    REQUIRE(write_file(options.model, hostile_model(turn)));
    check_compiles(emitted(options));
  }
}

TEST_CASE("tensors of weight files may have any name at all") {
  const std::vector<std::string> names = {"x:0", "a b",    "\xc3\xa9", "",
                                          "a/b", "\"\\\n", "int",      long_name('t')};
  const TempFolder folder;
  std::string params, renames, sum;
  std::map<std::string, ops::Tensor> tensors;
  for (std::size_t i = 0; i < names.size(); i++) {
    const std::string p = "p" + std::to_string(i);
    params += (i ? ", " : "") + quoted(p) + ": \"f32\"";
    renames += (i ? ", " : "") + quoted(p) + ": " + quoted(names[i]);
    sum += (i ? " + " : "") + p;
    ops::Tensor& tensor = tensors[names[i]];
    tensor.dtype = Dtype::f32;
    tensor.f = {static_cast<double>(1 << i)};
  }
  driver::Options options;
  options.model = (folder.path() / "model.json").string();
  REQUIRE(write_file(folder.path() / "w.safetensors", read::safetensors_bytes(tensors)));
  REQUIRE(write_file(options.model,
                     "{\"espalier\": 1, \"name\": \"renamed\", \"params\": {" + params +
                         "}, \"weights\": {\"files\": [\"w.safetensors\"], \"tensors\": {" +
                         renames +
                         "}}, \"functions\": {\"f\": {\"args\": {\"x\": \"f32\"}, \"returns\": "
                         "\"f32\", \"body\": \"x * (" +
                         sum + ")\"}}, \"entries\": {\"f\": {}}}"));
  const emit::Package package = emitted(options);
  check_compiles(package);
  const TempFolder out;
  write_files(package, out.path());
  const Finished ran = build_and_run(out.path(), "g++ -std=c++17 -O0");
  CHECK_MESSAGE(ran.status == 0, ran.output);
}

// ---- Names that the language refuses, at the printer

const std::vector<std::string> any_strings = {"x:0",
                                              "a b",
                                              "",
                                              "1st",
                                              "a-b",
                                              "a.b",
                                              "a/b",
                                              "*/",
                                              "/*",
                                              "//",
                                              "\\",
                                              "a\\",
                                              "?"
                                              "?/",
                                              "\n",
                                              "\t",
                                              "\"",
                                              "'",
                                              "%s",
                                              "\xff\xfe",
                                              "\xc3\xa9",
                                              "\xc3",
                                              "int",
                                              "double",
                                              "__cplusplus",
                                              "0",
                                              "-",
                                              std::string(1, '\0'),
                                              "a\nb",
                                              "#include <x>",
                                              long_name('x'),
                                              long_name('x') + "y"};

TEST_CASE("the printer takes any string for any name and any comment") {
  for (std::size_t turn = 0; turn < any_strings.size(); turn += 7) {
    loop::Module module = emit::sum_module();
    auto next = [&, i = turn]() mutable { return any_strings[i++ % any_strings.size()]; };
    module.name = next();
    module.doc = "doc " + next() + next() + "\\";
    module.entries[0].name = next();
    module.entries[0].doc =
        "*/ ?"
        "?/\n" +
        next() + "\\";
    module.entries[0].outputs[0].result = next();
    module.entries[0].arguments.columns[0].name = next();
    for (Field& column : module.forest.columns) column.name = next();
    module.forest.lists[0].name = next();
    for (Variant& variant : module.forest.variants) variant.name = next();
    module.parameters[0].name = next();
    module.buffers[0].source = module.parameters[0].name;
    for (const std::string& name : any_strings) module.dims.emplace_back(name, 1);
    for (std::size_t i = 0; i < any_strings.size(); i++)
      module.parameters.push_back({any_strings[i] + "?", Dtype::f32, {2}, {any_strings[i]}});
    const loop::ApiNames names = loop::api_names(module);
    emit::KernelSource kernels = emit::sum_kernels();
    const auto replace = [&](const std::string& from, const std::string& to) {
      for (auto at = kernels.body.find(from); at != std::string::npos;
           at = kernels.body.find(from, at + to.size()))
        kernels.body.replace(at, from.size(), to);
    };
    replace("weights.scale", "weights." + names.parameters[0]);
    replace("< vocab", "< " + names.dims[0]);
    INFO("names from " << turn << " on");
    check_compiles(emit::emit_package(module, {}, kernels));
  }
}

}  // namespace
}  // namespace espalier::test
