#include "read/model.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/file.h"
#include "base/kinds.h"
#include "read/model_reader.h"
#include "read/structured.h"

namespace espalier::read {

fun::Module ModelReader::read() {
  if (!expect(reading_, root(), Json::Kind::object, "a model")) return {};
  refuse_reserved(root(), {"training", "custom"});
  check_keys(reading_, root(),
             {"espalier", "name", "doc", "dims", "types", "params", "constants", "weights",
              "functions", "entries", "gradients", "training", "custom"},
             "a model");
  header();
  dims();
  types();
  params();
  constants();
  weights();
  functions();
  entries();
  gradients();
  return std::move(module_);
}

const Json* ModelReader::section(const std::string& key) {
  const Json* found = root().find(key);
  return found && expect(reading_, *found, Json::Kind::object, fmt::format("'{}'", key)) ? found
                                                                                         : nullptr;
}

bool ModelReader::text(const Json& json, const std::string& what, std::string* out) {
  if (!expect(reading_, json, Json::Kind::string, what)) return false;
  *out = json.text();
  return true;
}

void ModelReader::doc(const Json& object, std::string* out) {
  if (const Json* found = object.find("doc")) text(*found, "'doc'", out);
}

bool ModelReader::texts(const Json& json, const std::string& what, std::vector<std::string>* out,
                        std::vector<Loc>* places) {
  if (!expect(reading_, json, Json::Kind::array, what)) return false;
  bool ok = true;
  for (const Json& item : json.items()) {
    out->emplace_back();
    if (places) places->push_back(reading_.file->loc(item));
    ok = text(item, "an item of " + what, &out->back()) && ok;
  }
  return ok;
}

void ModelReader::refuse_reserved(const Json& object, const std::vector<std::string>& keys) {
  for (const JsonText& key : object.keys())
    if (std::find(keys.begin(), keys.end(), key.text) != keys.end())
      reading_.error(Kind::reserved_key, key,
                     fmt::format("'{}' is reserved and does not work yet", key.text));
}

Snippet ModelReader::snippet(const Json& json) const {
  return {reading_.file, &json.string(), reading_.file->pointer(json.offset())};
}

Snippet ModelReader::key_snippet(const JsonText& key) const {
  return {reading_.file, &key, reading_.file->pointer(key.offset)};
}

void ModelReader::claim(const JsonText& name, const std::string& what) {
  if (!check_name(reading_, name, what)) return;
  if (is_type_word(name.text)) {
    reading_.error(Kind::name_is_type, name,
                   fmt::format("'{}' is a type and cannot name {}", name.text, what));
    return;
  }
  const auto [it, fresh] =
      globals_.try_emplace(name.text, Global{reading_.file->key_loc(name), what});
  if (fresh || it->second.what == what) return;  // two of a kind are a duplicate key
  reading_
      .error(Kind::duplicate_name, name,
             fmt::format("'{}' is the name of {} already", name.text, it->second.what))
      .notes.push_back({it->second.loc, "defined here"});
}

void ModelReader::header() {
  const Json* version = need(reading_, root(), "espalier", "a model");
  if (version && !(version->is(Json::Kind::number) && version->number() == 1))
    reading_.error(Kind::bad_version, *version,
                   fmt::format("language version {} is not known; this is version 1",
                               reading_.file->raw(*version)));
  const Json* name = need(reading_, root(), "name", "a model");
  if (name && text(*name, "'name'", &module_.name)) check_name(reading_, name->string(), "a model");
  doc(root(), &module_.doc);
}

void ModelReader::weights() {
  const Json* json = root().find("weights");
  if (!json) return;
  module_.weights.given = true;
  module_.weights.loc = reading_.file->loc(*json);
  const Json* files = json;
  if (json->is(Json::Kind::object)) {
    check_keys(reading_, *json, {"files", "tensors"}, "'weights'");
    files = need(reading_, *json, "files", "'weights'");
    const Json* tensors = json->find("tensors");
    if (tensors && expect(reading_, *tensors, Json::Kind::object, "'tensors'")) rename(*tensors);
  }
  if (!files) return;
  if (files->is(Json::Kind::string))
    module_.weights.files = {files->text()};
  else
    texts(*files, "a list of weight files", &module_.weights.files);
}

void ModelReader::rename(const Json& tensors) {
  std::vector<std::string> known;
  for (const fun::Named& param : module_.params)
    for (const fun::Leaf& leaf : fun::leaves(param)) known.push_back(leaf.name);
  for (std::size_t i = 0; i < tensors.items().size(); ++i) {
    const JsonText& key = tensors.keys()[i];
    std::string tensor;
    if (!text(tensors.items()[i], "a tensor's name", &tensor)) continue;
    module_.weights.renamed[key.text] = tensor;
    if (std::find(known.begin(), known.end(), key.text) != known.end()) continue;
    reading_.error(
        Kind::bad_rename, key,
        fmt::format("'{}' is no tensor of a parameter{}", key.text, did_you_mean(key.text, known)));
  }
}

void ModelReader::entries() {
  const Json* all = section("entries");
  for (std::size_t i = 0; all && i < all->items().size(); ++i) {
    const JsonText& name = all->keys()[i];
    const Json& json = all->items()[i];
    check_name(reading_, name, "an entry");
    if (!expect(reading_, json, Json::Kind::object, "an entry")) continue;
    check_keys(reading_, json, {"function", "outputs", "doc", "merge"}, "an entry");
    refuse_reserved(json, {"merge"});
    fun::Entry entry;
    entry.name = entry.function = name.text;
    entry.loc = reading_.file->key_loc(name);
    doc(json, &entry.doc);
    if (const Json* function = json.find("function")) {
      text(*function, "'function'", &entry.function);
      entry.loc = reading_.file->loc(*function);
    }
    const Json* outputs = json.find("outputs");
    std::string which = "roots";
    if (outputs && text(*outputs, "'outputs'", &which) && which != "roots" && which != "nodes")
      reading_.error(Kind::bad_outputs, *outputs,
                     fmt::format("outputs are 'roots' or 'nodes', found '{}'", which));
    entry.nodes = which == "nodes";
    module_.entries.push_back(std::move(entry));
  }
}

void ModelReader::gradients() {
  const Json* all = section("gradients");
  for (std::size_t i = 0; all && i < all->items().size(); ++i) {
    const JsonText& name = all->keys()[i];
    const Json& json = all->items()[i];
    check_name(reading_, name, "a gradient");
    if (!expect(reading_, json, Json::Kind::object, "a gradient")) continue;
    check_keys(reading_, json, {"of", "wrt", "keep"}, "a gradient");
    fun::Gradient gradient;
    gradient.name = name.text;
    gradient.loc = reading_.file->key_loc(name);
    if (const Json* of = need(reading_, json, "of", "a gradient")) {
      text(*of, "'of'", &gradient.of);
      gradient.of_loc = reading_.file->loc(*of);
    }
    if (const Json* wrt = need(reading_, json, "wrt", "a gradient"))
      texts(*wrt, "'wrt'", &gradient.wrt, &gradient.wrt_locs);
    if (const Json* keep = json.find("keep"))
      texts(*keep, "'keep'", &gradient.keep, &gradient.keep_locs);
    module_.gradients.push_back(std::move(gradient));
  }
}

ParseContext ModelReader::context() const {
  ParseContext out;
  out.type_names = data_names_;
  out.data_type = [this](std::string_view name) -> std::string {
    const std::string text(name);
    if (scope_.data_types.count(text)) return text;
    const auto alias = scope_.aliases.find(text);
    const bool data = alias != scope_.aliases.end() && alias->second->kind == fun::Type::Kind::data;
    return data ? alias->second->name : "";
  };
  return out;
}

void ModelReader::functions() {
  if (!need(reading_, root(), "functions", "a model")) return;
  const Json* all = section("functions");
  for (std::size_t i = 0; all && i < all->items().size(); ++i) {
    claim(all->keys()[i], "a function");
    if (expect(reading_, all->items()[i], Json::Kind::object, "a function"))
      function(all->keys()[i], all->items()[i]);
  }
}

void ModelReader::function(const JsonText& name, const Json& json) {
  check_keys(reading_, json,
             {"doc", "forall", "args", "returns", "body", "derivative", "checkpoint"},
             "a function");
  refuse_reserved(json, {"derivative", "checkpoint"});
  fun::Function function;
  function.name = name.text;
  function.loc = reading_.file->key_loc(name);
  doc(json, &function.doc);
  const TypeScope scope = with_forall(json, &function);
  const Json* args = json.find("args");
  if (args && expect(reading_, *args, Json::Kind::object, "'args'"))
    for (std::size_t i = 0; i < args->items().size(); ++i)
      argument(args->keys()[i], args->items()[i], scope, &function);
  const Json* returns = json.find("returns");
  if (returns && !returns->is(Json::Kind::null))
    function.returns = type(*returns, scope, "'returns'");
  if (const Json* body = need(reading_, json, "body", "a function")) {
    const Result<fun::ExprRef> read = read_body(reading_, *body, context());
    if (read) function.body = *read;
  }
  module_.functions.push_back(std::move(function));
}

TypeScope ModelReader::with_forall(const Json& json, fun::Function* function) {
  TypeScope scope = scope_;
  const Json* forall = json.find("forall");
  if (!forall || !expect(reading_, *forall, Json::Kind::array, "'forall'")) return scope;
  for (const Json& name : forall->items()) {
    if (!expect(reading_, name, Json::Kind::string, "a name of 'forall'") ||
        !check_name(reading_, name.string(), "a dim or type"))
      continue;
    if (!scope.open.insert(name.text()).second)
      reading_.error(Kind::duplicate_name, name, fmt::format("'{}' stands twice", name.text()));
    function->forall.push_back(name.text());
    function->forall_locs.push_back(reading_.file->loc(name));
  }
  return scope;
}

void ModelReader::argument(const JsonText& name, const Json& json, const TypeScope& scope,
                           fun::Function* function) {
  check_name(reading_, name, "an argument");
  fun::Argument argument;
  argument.named.name = name.text;
  argument.named.loc = reading_.file->key_loc(name);
  const Json* type_of = &json;
  if (json.is(Json::Kind::object)) {
    check_keys(reading_, json, {"type", "combine"}, "an argument");
    type_of = need(reading_, json, "type", "an argument");
    const Json* combine = json.find("combine");
    const std::vector<std::string> ways = {"sum", "mean", "prod", "max", "min"};
    if (combine && text(*combine, "'combine'", &argument.combine) &&
        std::find(ways.begin(), ways.end(), argument.combine) == ways.end())
      reading_.error(Kind::bad_combine, *combine,
                     fmt::format("arguments combine by sum, mean, prod, max or min, found '{}'",
                                 argument.combine));
  }
  if (type_of && !type_of->is(Json::Kind::null))
    argument.named.type = type(*type_of, scope, fmt::format("the type of '{}'", name.text));
  function->args.push_back(std::move(argument));
}

Result<fun::Module> read_model_text(Sources* sources, std::string name, std::string text,
                                    Diagnostics* diagnostics) {
  const std::size_t before = diagnostics->all().size();
  const std::int32_t number = sources->add(std::move(name), std::move(text));
  const Result<JsonFile> file = parse_json(sources, number, diagnostics);
  if (!file) return Failed{};
  fun::Module module = ModelReader(&*file, diagnostics).read();
  if (diagnostics->all().size() > before) return Failed{};
  return module;
}

Result<fun::Module> read_model(Sources* sources, const std::filesystem::path& path,
                               Diagnostics* diagnostics) {
  std::string why;
  std::optional<std::string> text = read_file(path, &why);
  if (text && text->size() >= UINT32_MAX) {
    text.reset();
    why = "it is larger than 4 GiB";
  }
  if (!text) {
    diagnostics->error(Kind::cannot_read, {},
                       fmt::format("cannot read '{}': {}", path.string(), why));
    return Failed{};
  }
  return read_model_text(sources, path.string(), std::move(*text), diagnostics);
}

}  // namespace espalier::read
