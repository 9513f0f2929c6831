#include "read/input.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/file.h"
#include "base/kinds.h"
#include "fun/forest.h"
#include "read/forest_reader.h"
#include "read/numeric.h"

namespace espalier::read {

namespace {

// Reads one structure for one function.
class InputReader {
 public:
  InputReader(const Reading& reading, const Json& structure, const fun::Module& module,
              const fun::Function& function)
      : reading_(reading), structure_(structure), module_(module), function_(function) {}

  bool read(const InputOptions& options, Input* out) {
    const Forest forest = fun::forest_of(module_);
    ForestReader reader(reading_, module_, forest);
    NodeSource source(reading_, structure_, options);
    return source.open(reader.fields()) && reader.read(source, &out->forest) && check_arguments() &&
           calls(options, &out->calls) && seeds(&out->seeds);
  }

 private:
  const Json* args() const { return structure_.find("args"); }

  bool check_arguments() {
    if (args() && !expect(reading_, *args(), Json::Kind::object, "'args'")) return false;
    std::vector<std::string> known;
    const auto add = [&](const fun::Function* function) {
      for (std::size_t i = 0; function && i < function->args.size(); ++i)
        known.push_back(function->args[i].named.name);
    };
    add(&function_);
    for (const fun::Entry& entry : module_.entries) add(module_.find_function(entry.function));
    for (const fun::Gradient& gradient : module_.gradients) add(module_.find_function(gradient.of));
    for (std::size_t i = 0; args() && i < args()->items().size(); ++i) {
      const JsonText& key = args()->keys()[i];
      if (std::find(known.begin(), known.end(), key.text) != known.end()) continue;
      reading_.error(
          Kind::unknown_argument, key,
          fmt::format("no entry has an argument '{}'{}", key.text, suggestion(key.text, known)));
      return false;
    }
    return true;
  }

  // The column of an argument: under "args", or "roots" for the only one that is data.
  const Json* column(const fun::Argument& argument, bool* failed) {
    const Json* found = args() ? args()->find(argument.named.name) : nullptr;
    const Json* roots = structure_.find("roots");
    if (found || !roots || argument.named.type->kind != fun::Type::Kind::data) return found;
    const auto data = std::count_if(
        function_.args.begin(), function_.args.end(),
        [](const fun::Argument& arg) { return arg.named.type->kind == fun::Type::Kind::data; });
    if (data == 1) return roots;
    reading_.error(Kind::roots_argument, *roots,
                   fmt::format("'{}' has {} data arguments; give their roots under 'args'",
                               function_.name, data));
    *failed = true;
    return nullptr;
  }

  bool calls(const InputOptions& options, CallsData* out) {
    const Arguments table = fun::arguments_of(function_);
    out->columns.assign(table.columns.size(), {});
    out->lists.assign(table.lists.size(), {0});
    ColumnFiller filler(reading_, &out->columns, &out->lists);
    std::optional<std::size_t> rows;
    for (const fun::Argument& argument : function_.args) {
      bool failed = false;
      const Json* json = column(argument, &failed);
      const std::string& name = argument.named.name;
      if (failed) return false;
      if (!json && options.calls_optional) continue;
      if (!json) {
        reading_.error(
            Kind::missing_argument, structure_,
            fmt::format("the input has nothing for argument '{}' of '{}'", name, function_.name));
        return false;
      }
      if (!expect(reading_, *json, Json::Kind::array, fmt::format("argument '{}'", name)))
        return false;
      if (rows && *rows != json->items().size()) {
        reading_.error(Kind::column_length, *json,
                       fmt::format("argument '{}' has {} rows, those before it {}", name,
                                   json->items().size(), *rows));
        return false;
      }
      rows = json->items().size();
      const Slot slot = slot_of(argument.named.type, leaves(table, name));
      for (const Json& row : json->items())
        if (!filler.append(slot, &row)) return false;
    }
    out->count = static_cast<std::int64_t>(rows.value_or(function_.args.empty() ? 1 : 0));
    return true;
  }

  static std::vector<const Field*> leaves(const Arguments& table, const std::string& name) {
    std::vector<const Field*> out;
    for (const Field& field : table.columns)
      if (field.name == name || field.name.starts_with(name + '.')) out.push_back(&field);
    return out;
  }

  bool seeds(std::vector<Seed>* out) {
    const Json* all = structure_.find("seeds");
    if (!all) return true;
    if (!expect(reading_, *all, Json::Kind::object, "'seeds'")) return false;
    std::vector<std::string> known;
    for (const fun::Gradient& gradient : module_.gradients) known.push_back(gradient.name);
    for (std::size_t i = 0; i < all->items().size(); ++i) {
      const JsonText& gradient = all->keys()[i];
      const Json& results = all->items()[i];
      if (std::find(known.begin(), known.end(), gradient.text) == known.end()) {
        reading_.error(Kind::unknown_seed, gradient,
                       fmt::format("there is no gradient '{}'{}", gradient.text,
                                   suggestion(gradient.text, known)));
        return false;
      }
      if (!expect(reading_, results, Json::Kind::object, "a gradient's seeds")) return false;
      for (std::size_t j = 0; j < results.items().size(); ++j) {
        Seed seed{gradient.text, results.keys()[j].text, {}, {}};
        if (!rows(results.items()[j], 0, &seed)) return false;
        out->push_back(std::move(seed));
      }
    }
    return true;
  }

  // Nested lists of equal lengths.
  bool rows(const Json& json, std::size_t axis, Seed* out) {
    if (!json.is(Json::Kind::array)) {
      const auto value = real_element(json, Dtype::f64);
      if (value && axis == out->shape.size()) out->values.push_back(*value);
      if (value && axis == out->shape.size()) return true;
    } else {
      const auto length = static_cast<std::int64_t>(json.items().size());
      if (axis == out->shape.size() && out->values.empty()) out->shape.push_back(length);
      if (axis < out->shape.size() && out->shape[axis] == length)
        return std::all_of(json.items().begin(), json.items().end(),
                           [&](const Json& item) { return rows(item, axis + 1, out); });
    }
    reading_.error(Kind::ragged_seed, json, "a seed's rows are numbers or lists of one shape");
    return false;
  }

  const Reading& reading_;
  const Json& structure_;
  const fun::Module& module_;
  const fun::Function& function_;
};

}  // namespace

Result<InputFile> InputFile::open(Sources* sources, std::string name, std::string text,
                                  Diagnostics* diagnostics) {
  const std::int32_t number = sources->add(std::move(name), std::move(text));
  const std::size_t before = diagnostics->all().size();
  Result<JsonFile> file = parse_json(sources, number, diagnostics);
  if (!file || diagnostics->all().size() > before) return Failed{};
  InputFile out(std::move(*file));
  if (!out.recognize(diagnostics)) return Failed{};
  return out;
}

Result<InputFile> InputFile::open(Sources* sources, const std::filesystem::path& path,
                                  Diagnostics* diagnostics) {
  std::string why;
  std::optional<std::string> text = read_file(path, &why);
  if (!text || text->size() >= UINT32_MAX) {
    diagnostics->error(
        Kind::cannot_read, {},
        fmt::format("cannot read '{}': {}", path.string(), text ? "it is larger than 4 GiB" : why));
    return Failed{};
  }
  return open(sources, path.string(), std::move(*text), diagnostics);
}

bool InputFile::recognize(Diagnostics* diagnostics) {
  const Json& root = file_.root();
  const Reading reading{&file_, diagnostics};
  if (!expect(reading, root, Json::Kind::object, "an input")) return false;
  const auto is_structure = [&](const Json& json) {
    return json.is(Json::Kind::object) && !root.find("args") && !root.find("nodes");
  };
  const auto& items = root.items();
  several_ = !items.empty() && std::all_of(items.begin(), items.end(), is_structure);
  if (several_ || !std::any_of(items.begin(), items.end(), is_structure)) return true;
  reading.error(Kind::input_form, root,
                "an input has 'nodes', or columns, or structures with names, but not a mixture");
  return false;
}

std::vector<std::string> InputFile::structures() const {
  if (!several_) return {""};
  std::vector<std::string> out;
  for (const JsonText& key : file_.root().keys()) out.push_back(key.text);
  return out;
}

std::vector<std::string> InputFile::keys() const {
  std::vector<std::string> out;
  for (const std::string& name : structures())
    for (const JsonText& key : structure(name)->keys())
      if (std::find(out.begin(), out.end(), key.text) == out.end()) out.push_back(key.text);
  return out;
}

const Json* InputFile::structure(const std::string& name) const {
  return several_ ? file_.root().find(name) : &file_.root();
}

bool InputFile::has_arguments(const fun::Function& function) const {
  const auto has = [&](const Json& structure, const fun::Argument& argument) {
    const Json* args = structure.find("args");
    return (args && args->find(argument.named.name)) ||
           (argument.named.type->kind == fun::Type::Kind::data && structure.find("roots"));
  };
  for (const std::string& name : structures())
    for (const fun::Argument& argument : function.args)
      if (!has(*structure(name), argument)) return false;
  return true;
}

Result<Input> InputFile::read(const std::string& name, const fun::Module& module,
                              const fun::Function& function, const InputOptions& options,
                              Diagnostics* diagnostics) const {
  Input out;
  const Reading reading{&file_, diagnostics};
  if (!InputReader(reading, *structure(name), module, function).read(options, &out))
    return Failed{};
  return out;
}

namespace {

const Json* row_of(const Json* column, std::int64_t row) {
  const bool there = column && column->is(Json::Kind::array) && row >= 0 &&
                     static_cast<std::size_t>(row) < column->items().size();
  return there ? &column->items()[static_cast<std::size_t>(row)] : nullptr;
}

const Json* find_number(const Json* json, std::int64_t value) {
  if (!json) return nullptr;
  if (json->is(Json::Kind::number))
    return json->number() == static_cast<double>(value) ? json : nullptr;
  if (!json->is(Json::Kind::array) && !json->is(Json::Kind::object)) return nullptr;
  for (const Json& item : json->items())
    if (const Json* found = find_number(&item, value)) return found;
  return nullptr;
}

}  // namespace

Loc InputFile::place_of_node(const std::string& name, std::int64_t node,
                             const std::vector<std::string>& keys, std::int64_t value) const {
  const Json& of = *structure(name);
  const Json* nodes = of.find("nodes");
  const Json* whole = row_of(nodes ? nodes : of.find("children"), node);
  for (const std::string& key : keys) {
    const Json* field = !nodes ? row_of(of.find(key), node) : whole ? whole->find(key) : nullptr;
    if (const Json* found = find_number(field, value)) return file_.loc(*found);
  }
  return file_.loc(whole ? *whole : of);
}

Loc InputFile::place_of_call(const std::string& name, const std::string& argument, std::int64_t row,
                             std::int64_t value) const {
  const Json& of = *structure(name);
  const Json* args = of.find("args");
  const Json* column = args ? args->find(argument) : nullptr;
  const Json* whole = row_of(column ? column : of.find("roots"), row);
  const Json* found = find_number(whole, value);
  return file_.loc(found ? *found : whole ? *whole : of);
}

Result<std::vector<std::pair<std::string, Input>>> read_input(
    Sources* sources, const std::filesystem::path& path, const fun::Module& module,
    const fun::Function& function, const InputOptions& options, Diagnostics* diagnostics) {
  const Result<InputFile> file = InputFile::open(sources, path, diagnostics);
  if (!file) return Failed{};
  std::vector<std::pair<std::string, Input>> out;
  for (const std::string& name : file->structures()) {
    Result<Input> input = file->read(name, module, function, options, diagnostics);
    if (!input) return Failed{};
    out.emplace_back(name, std::move(*input));
  }
  return out;
}

}  // namespace espalier::read
