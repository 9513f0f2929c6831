// FLOPs and bytes of functions, by what they are counted for.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "to_loop/lower.h"
#include "to_loop/notes.h"

namespace espalier::to_loop {

using wave::Domain;
using wave::Opcode;
using wave::Reduce;
using wave::Scalar;
using wave::Value;

namespace {

std::int64_t operations(const ScalarRef& s) {
  std::int64_t count = 0;
  wave::visit(s, [&](const Scalar& x) {
    if (x.kind == Scalar::Kind::apply && is_float(x.dtype) && x.op != Opcode::cast &&
        x.op != Opcode::select)
      count++;
  });
  return count;
}

bool depends_on_item(const ScalarRef& s) {
  bool found = false;
  wave::visit(s, [&](const Scalar& x) { found = found || x.kind == Scalar::Kind::item; });
  return found;
}

// What is counted for the elements of a group, and for the items of the lists that it reduces over.
class Count {
 public:
  Count(const Context& context, const Group& group) : context_(context), group_(group) {
    for (const Work& work : group.works)
      if (work.local) local_.insert(work.result);
  }

  std::vector<loop::Cost> run() {
    of(group_.domain);
    for (const Work& work : group_.works) {
      if (work.kind == Work::Kind::steps || work.kind == Work::Kind::check) return {};
      const Value& v = context_.entry.value(work.result != wave::none ? work.result : work.carry);
      size_ = size_of(v.shape);
      width_ = espalier::bytes(computed(v.dtype));
      if (work.stored) of(group_.domain).bytes += width_ * size_;
      work.kind == Work::Kind::product ? product(work) : compute(work);
    }
    return std::move(made_);
  }

 private:
  loop::Cost& of(Id domain) {
    const std::string each = element_name(context_, domain);
    for (loop::Cost& known : made_)
      if (known.each == each) return known;
    made_.push_back({each});
    return made_.back();
  }

  void product(const Work& work) {
    loop::Cost& cost = of(group_.domain);
    const std::int64_t over = size_of(work.axes);
    if (cost.products == 0) cost.bytes += width_ * over;  // one operand for all
    cost.products += 2 * size_ * over;
  }

  void compute(const Work& work) {
    const std::int64_t over = size_of(work.axes);
    const Id each = work.list == wave::none ? group_.domain : work.list;
    const std::int64_t here = operations(work.body) + (work.reduce != Reduce::map ? 1 : 0);
    of(each).elementwise += size_ * over * here;
    wave::visit(work.body, [&](const Scalar& s) {
      if (s.kind != Scalar::Kind::load || !s.args[0] || !is_float(s.dtype) || local_.count(s.value))
        return;
      of(depends_on_item(s.args[0]) ? each : group_.domain).bytes +=
          width_ * (s.args.size() > 1 ? size_ * over : 1);
    });
  }

  const Context& context_;
  const Group& group_;
  std::set<Id> local_;  // read from variables
  std::vector<loop::Cost> made_;
  std::int64_t size_ = 0, width_ = 0;  // of the work at hand: elements, and bytes of one
};

std::vector<std::string> list_fields(const Variant& variant) {
  std::vector<std::string> names;
  for (const Field& field : variant.fields) {
    if (field.lists.empty()) continue;
    const std::string name = field.name.substr(0, field.name.find('.'));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

// Children are all in lists, and lists hold nothing else.
bool only_lists(const Variant& variant) {
  return std::all_of(variant.fields.begin(), variant.fields.end(),
                     [](const Field& f) { return f.child != f.lists.empty(); });
}

std::string part_name(const Variant& variant, bool empty) {
  if (only_lists(variant)) return variant.name + (empty ? " without children" : " with children");
  const std::vector<std::string> lists = list_fields(variant);
  const std::string joined = fmt::format("{}", fmt::join(lists, " and "));
  if (empty) return variant.name + " with empty " + joined;
  return variant.name + " with " +
         (lists.size() == 1 ? "non-empty " + joined : joined + " not all empty");
}

}  // namespace

std::string list_name(const Context& context, Id list) {
  const std::string& name = context.entry.domain(list).name;
  return name.substr(name.find('.') == std::string::npos ? 0 : name.find('.') + 1);
}

std::string element_name(const Context& context, Id domain) {
  const Domain& d = context.entry.domain(domain);
  const std::vector<Variant>& variants = context.shared.wave.forest.variants;
  switch (d.kind) {
    case Domain::Kind::once: return "";
    case Domain::Kind::calls: return "call";
    case Domain::Kind::all: return "node";
    case Domain::Kind::edges:
    case Domain::Kind::parents: return "edge";
    case Domain::Kind::list: {
      const std::string name = list_name(context, domain);
      const Domain& owner = context.entry.domain(context.root_of(domain));
      const auto holders = std::count_if(variants.begin(), variants.end(), [&](const Variant& v) {
        const std::vector<std::string> fields = list_fields(v);
        return std::find(fields.begin(), fields.end(), name) != fields.end();
      });
      const bool several = owner.kind == Domain::Kind::nodes && holders > 1;
      return "item of " +
             (several ? variants[static_cast<std::size_t>(owner.variant)].name + "." : "") + name;
    }
    case Domain::Kind::nodes: break;
  }
  if (d.part == Domain::Part::any) return d.name;
  return part_name(variants[static_cast<std::size_t>(d.variant)], d.part == Domain::Part::empty);
}

std::vector<loop::Cost> costs(const Context& context, const Group& group) {
  std::vector<loop::Cost> made = Count(context, group).run();
  std::erase_if(made, [](const loop::Cost& cost) { return cost.each.empty(); });
  return made;
}

}  // namespace espalier::to_loop
