#include "wave_pass/specialize.h"

#include <algorithm>
#include <map>
#include <vector>

#include "wave/analysis.h"
#include "wave/names.h"
#include "wave_pass/dce.h"
#include "wave_pass/fold.h"

namespace espalier::wave_pass {
namespace {

using wave::Domain;
using wave::Entry;
using wave::Id;
using wave::Op;
using wave::Reduce;
using wave::Scalar;
using wave::ScalarRef;
using wave::Value;

ScalarRef number(Dtype dtype, int value) {
  return is_float(dtype) ? wave::number(value, dtype) : wave::integer(value, dtype);
}

bool reads_local(const Entry& entry, const ScalarRef& s) {
  bool found = false;
  wave::visit(s, [&](const Scalar& x) {
    found =
        found || (x.kind == Scalar::Kind::load && entry.value(x.value).kind == Value::Kind::local);
  });
  return found;
}

// One part of the split: what domains and values become in it.
struct Part {
  std::map<Id, Id> domains, values;  // none: there is no such thing in this part
};

class Split {
 public:
  Split(const wave::Module& module, Entry& entry, Id nodes)
      : module_(module), entry_(entry), nodes_(nodes) {}

  bool pays() const { return pays(entry_.ops, false); }

  // Is what is computed for the nodes read by their own operators alone, at their own element?
  bool possible() const {
    bool fits = true;
    wave::visit_ops(entry_.ops, [&](const Op& op) {
      const Id domain = wave::domain_of(entry_, op);
      wave::visit_scalars(op, [&](const Scalar& s) {
        if (s.kind != Scalar::Kind::load || !splits(s.value)) return;
        fits = fits && domain != wave::none && own(domain) && at_home(op, domain, s);
      });
    });
    for (const wave::Output& o : entry_.outputs) fits = fits && !splits(o.value);
    return fits;
  }

  void run() {
    const bool leaf = has_all_leaves();
    const std::string empty_name = leaf ? "_leaf" : "_empty",
                      filled_name = leaf ? "_inner" : "_filled";
    const std::string nodes_name = entry_.domain(nodes_).name;
    make_domains(empty_, Domain::Part::empty, nodes_name, empty_name);
    make_domains(filled_, Domain::Part::filled, nodes_name, filled_name);
    make_values(filled_, filled_name);
    make_values(empty_, empty_name);
    split(entry_.ops);
    name_filled();
    fold(module_.forest, entry_);
    dce(entry_);
  }

 private:
  // The nodes without items are the leaves: there are no children elsewhere, no other variants.
  bool has_all_leaves() const {
    const Variant& variant = module_.forest.variants[at(entry_.domain(nodes_).variant)];
    const bool only_lists = std::all_of(variant.fields.begin(), variant.fields.end(),
                                        [](const Field& f) { return f.child != f.lists.empty(); });
    return only_lists && std::none_of(module_.forest.types.begin(), module_.forest.types.end(),
                                      [&](const DataType& type) {
                                        return type.name == variant.type &&
                                               type.variants.size() > 1;
                                      });
  }

  static std::size_t at(Id i) { return static_cast<std::size_t>(i); }
  bool own(Id domain) const { return wave::outermost(entry_, domain) == nodes_; }
  // Numbered lists over the nodes, and what is over them, are empty in the empty part.
  bool vanishes(Id domain) const {
    for (; domain != nodes_; domain = entry_.domain(domain).owner) {
      const Domain& d = entry_.domain(domain);
      const bool of_element = d.like != wave::none && d.field < 0;
      if (d.list >= 0 || (of_element && vanishes(d.like))) return true;
    }
    return false;
  }
  // Values of the nodes that are computed, so that each part has its own.
  bool splits(Id value) const {
    const Value& v = entry_.value(value);
    const bool computed = v.kind == Value::Kind::computed || v.kind == Value::Kind::carry ||
                          v.kind == Value::Kind::previous;
    return computed && own(v.domain);
  }

  bool at_home(const Op& op, Id domain, const Scalar& load) const {
    if (reads_local(entry_, load.args[0])) return false;
    if (entry_.value(load.value).domain != nodes_) return true;
    return wave::element_domain(entry_, domain, op.list, load.args[0]) == nodes_;
  }

  bool pays(const std::vector<Op>& ops, bool in_sweep) const {
    return std::any_of(ops.begin(), ops.end(), [&](const Op& op) {
      if (op.kind == Op::Kind::sweep_up || op.kind == Op::Kind::sweep_down)
        return pays(op.region, true);
      const Id domain = wave::domain_of(entry_, op);
      return in_sweep && own(domain) && (asks_lists(op) || pays(op.region, true));
    });
  }

  bool asks_lists(const Op& op) const {
    if (op.list != wave::none && own(op.list) && vanishes(op.list) && op.kind == Op::Kind::compute)
      return true;
    bool asks = false;
    wave::visit_scalars(op, [&](const Scalar& s) {
      asks = asks || (s.kind == Scalar::Kind::end && own(s.domain) && vanishes(s.domain));
    });
    return asks;
  }

  // ---- Tables ----

  std::string unique_domain(std::string wanted) const {
    const auto taken = [&](const std::string& name) {
      return std::any_of(entry_.domains.begin(), entry_.domains.end(),
                         [&](const Domain& d) { return d.name == name; });
    };
    std::string name = wanted;
    for (int i = 2; taken(name); ++i) name = wanted + "_" + std::to_string(i);
    return name;
  }

  void make_domains(Part& part, Domain::Part which, const std::string& nodes_name,
                    const std::string& suffix) {
    for (Id id = 0; at(id) < entry_.domains.size(); ++id) {
      if (!own(id)) continue;
      if (which == Domain::Part::empty && vanishes(id)) {
        part.domains[id] = wave::none;
        continue;
      }
      Domain d = entry_.domain(id);
      const bool nodes = id == nodes_;
      if (nodes)
        d.part = which;
      else
        d.owner = part.domains.at(d.owner);
      if (d.like != wave::none && d.field < 0) d.like = part.domains.at(d.like);
      const bool prefixed = d.name.rfind(nodes_name, 0) == 0;
      d.name = unique_domain(prefixed ? nodes_name + suffix + d.name.substr(nodes_name.size())
                                      : d.name + suffix);
      part.domains[id] = static_cast<Id>(entry_.domains.size());
      entry_.domains.push_back(std::move(d));
    }
  }

  void make_values(Part& part, const std::string& suffix) {
    const std::size_t count = first_new_ ? first_new_ : (first_new_ = entry_.values.size());
    for (Id id = 0; at(id) < count; ++id) {
      const auto to = part.domains.find(entry_.value(id).domain);
      if (to == part.domains.end()) continue;
      if (to->second == wave::none) {
        part.values[id] = wave::none;
        continue;
      }
      Value v = entry_.value(id);
      v.name = wave::unique_value_name(entry_, wave::label(v.name) + "'" + suffix.substr(1));
      v.domain = to->second;
      part.values[id] = static_cast<Id>(entry_.values.size());
      entry_.values.push_back(std::move(v));
    }
    for (const auto& [from, to] : part.values) {
      if (to == wave::none) continue;
      Value& v = entry_.value(to);
      if (v.of != wave::none) v.of = value(part, v.of);
      if (v.initial != wave::none) v.initial = value(part, v.initial);
    }
  }

  // The filled part takes the names of the whole.
  void name_filled() {
    for (const auto& [from, to] : filled_.values)
      if (splits(from)) std::swap(entry_.value(from).name, entry_.value(to).name);
  }

  static Id domain(const Part& part, Id id) {
    const auto to = part.domains.find(id);
    return to == part.domains.end() ? id : to->second;
  }
  static Id value(const Part& part, Id id) {
    const auto to = part.values.find(id);
    return to == part.values.end() ? id : to->second;
  }

  // ---- Operators ----

  void split(std::vector<Op>& ops) {
    std::vector<Op> out;
    for (Op& op : ops) {
      const Id domain = wave::domain_of(entry_, op);
      if (domain == wave::none || !own(domain)) {
        split(op.region);
        out.push_back(std::move(op));
        continue;
      }
      if (!vanishes(domain)) out.push_back(in_part(empty_, op));
      out.push_back(in_part(filled_, op));
    }
    ops = std::move(out);
  }

  Op in_part(const Part& part, const Op& op) const {
    Op made = op;
    made.result = value(part, op.result);
    made.value = value(part, op.value);
    made.part = domain(part, op.part);
    made.domain = domain(part, op.domain);
    made.list = domain(part, op.list);
    const bool nothing = op.list != wave::none && made.list == wave::none;
    const Dtype dtype = op.kind == Op::Kind::compute ? entry_.value(op.result).dtype : Dtype::f32;
    if (nothing) {
      made.body = number(dtype, op.reduce == Reduce::prod ? 1 : 0);
      made.reduce = Reduce::map;
      made.axes.clear();
    }
    wave::rewrite_scalars(made, [&](const ScalarRef& s) { return scalar(part, *s); });
    made.region.clear();
    for (const Op& inner : op.region)
      if (domain(part, wave::domain_of(entry_, inner)) != wave::none)
        made.region.push_back(in_part(part, inner));
    return made;
  }

  // What is read at another node, found by its `local` number, is that of all nodes of the variant.
  ScalarRef scalar(const Part& part, const Scalar& s) const {
    const bool load = s.kind == Scalar::Kind::load;
    if (!load && s.domain == wave::none) return nullptr;
    if (!s.args.empty() && s.args[0] && reads_local(entry_, s.args[0])) return nullptr;
    const Id old = load ? s.value : s.domain;
    const Id now = load ? value(part, old) : domain(part, old);
    if (now == old) return nullptr;
    if (now == wave::none) return number(s.dtype, 0);  // of an item that there is not; or a bound
    auto made = std::make_shared<Scalar>(s);
    (load ? made->value : made->domain) = now;
    return made;
  }

  const wave::Module& module_;
  Entry& entry_;
  Id nodes_;
  Part empty_, filled_;
  std::size_t first_new_ = 0;
};

bool has_lists(const Variant& variant) {
  return std::any_of(variant.fields.begin(), variant.fields.end(),
                     [](const Field& f) { return !f.lists.empty(); });
}

bool split_one(wave::Module& module, Entry& entry) {
  for (std::size_t i = 0; i < entry.domains.size(); ++i) {
    const Domain& d = entry.domains[i];
    if (d.kind != Domain::Kind::nodes || d.part != Domain::Part::any ||
        !has_lists(module.forest.variants[static_cast<std::size_t>(d.variant)]))
      continue;
    Split split(module, entry, static_cast<Id>(i));
    if (!split.pays() || !split.possible()) continue;
    split.run();
    return true;
  }
  return false;
}

}  // namespace

void specialize(wave::Module& module) {
  for (Entry& entry : module.entries)
    while (split_one(module, entry)) {
    }
}

}  // namespace espalier::wave_pass
