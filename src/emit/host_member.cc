// One array or number of the structure: the forest and the arguments in the order of the kernels.
#include <fmt/format.h>

#include <algorithm>

#include "base/bug.h"
#include "base/line_buffer.h"
#include "emit/host_plan.h"
#include "emit/text.h"

namespace espalier::emit {

namespace {

using Kind = loop::StructureMember::Kind;
using loop::StructureMember;

// Prints one member's part.
class MemberPrinter {
 public:
  MemberPrinter(const EntryContext& e, const StructureMember& member, std::string local)
      : e_(e), m_(member), into_(std::move(local)) {}

  MemberText print() {
    switch (m_.kind) {
      case Kind::levels: number("counts.levels"); break;
      case Kind::nodes: number("counts.nodes"); break;
      case Kind::calls: number("counts.calls"); break;
      case Kind::edge_count: number("counts.edges"); break;
      case Kind::class_count: number(class_rows(e_, m_.index).text); break;
      case Kind::original: assign("in.tree.order"); break;
      case Kind::level_first: level_first(); break;
      case Kind::variant: variant(); break;
      case Kind::local: local(); break;
      case Kind::class_first:
        take(plus_one(level_rows()));
        out_.fill.push_back("espalier::class_firsts(in.tree, " + class_text(e_, m_.index) + ", " +
                            into_ + ");");
        break;
      case Kind::class_place: class_place(); break;
      case Kind::place: of_class(into_ + "[k] = node;"); break;
      case Kind::child: child(); break;
      case Kind::payload: payload(); break;
      case Kind::slot: slot(); break;
      case Kind::list_first: list_first(); break;
      case Kind::list_owner: list_owner(); break;
      case Kind::parent_edge:
        take(node_rows());
        out_.fill.push_back("espalier::parent_edges(in.shape, in.tree, " + into_ + ");");
        break;
      case Kind::in_first: entering(); break;
      case Kind::in_owner:
      case Kind::in_edge: break;  // with in_first
      case Kind::root_call: root_call(); break;
      case Kind::root: root(); break;
      case Kind::argument: argument(); break;
    }
    return std::move(out_);
  }

 private:
  void number(const std::string& value) {
    out_.set.push_back("g." + m_.name + " = static_cast<std::int32_t>(" + value + ");");
  }
  void assign(const std::string& value) {
    out_.set.push_back("g." + m_.name + " = " + value + ";");
  }
  void fill(std::vector<std::string> lines) {
    out_.fill.insert(out_.fill.end(), lines.begin(), lines.end());
  }

  std::string type() const { return m_.buffer < 0 ? "std::int32_t" : memory_type(buffer().dtype); }
  const loop::Buffer& buffer() const { return e_.module().buffer(m_.buffer); }
  const loop::ListDomain& list() const { return e_.entry.lists[static_cast<std::size_t>(m_.list)]; }

  // Room for the member, under its name.
  void take(const Rows& rows, std::int64_t stride = 1) {
    take_array(into_, rows, stride);
    assign(into_);
  }
  void take_array(const std::string& name, const Rows& rows, std::int64_t stride = 1) {
    const Dtype dtype = m_.buffer < 0 ? Dtype::i32 : buffer().dtype;
    out_.pieces.push_back(piece(rows, stride * bytes(dtype)));
    out_.take.push_back(fmt::format("auto* const {} = arena.take<{}>({}{});", name, type(),
                                    rows.text, stride == 1 ? "" : ", " + std::to_string(stride)));
  }
  // statement: sets row k, of node `node`.
  void of_class(const std::string& statement, std::int64_t stride = 1) {
    take(class_rows(e_, m_.index), stride);
    out_.each.push_back(statement);
  }
  // statement: sets row `item`, of item `i` in the user's arrays, of row k of the class.
  void of_items(const std::string& statement, std::int64_t stride = 1) {
    take(list_rows(e_, m_.list), stride);
    out_.items.push_back(statement);
  }

  void variant() {
    take(node_rows());
    const bool one = e_.module().forest.variants.size() == 1;
    fill({"for (std::size_t node = 0; node < counts.nodes; node++)",
          "  " + into_ +
              "[node] = " + (one ? "0;" : "variant_of(in.forest, in.tree.order[node]);")});
  }
  void local() {
    take(node_rows());
    for (int v = 0; v < static_cast<int>(e_.module().forest.variants.size()); v++) {
      const auto [first, last] = variant_range(e_.plan, v);
      fill(
          {fmt::format("espalier::each_of_class(in.tree, {{{}, {}}}, [&](auto k, auto node) {{ "
                       "{}[node] = k; }});",
                       first, last, into_)});
    }
  }

  void level_first() {
    take(plus_one(level_rows()));
    fill({"for (std::int32_t level = 0; level < in.tree.levels; level++)",
          "  " + into_ + "[level] = in.tree.begin(level, 0);",
          into_ + "[in.tree.levels] = in.tree.nodes;"});
  }
  void class_place() {
    take(level_rows());
    fill(
        {"for (std::int32_t level = 0; level < in.tree.levels; level++)",
         "  " + into_ + "[level] = in.tree.begin(level, " + class_text(e_, m_.index) + ".first);"});
  }

  void child() {
    const int c = m_.list < 0 ? m_.index : list().class_index;
    const Leaf leaf = leaf_of(e_, c, m_.field);
    if (m_.list < 0)
      of_class(fmt::format("{}[k] = in.tree.edges[{}].child[node];", into_, leaf.child_field));
    else if (only_owner(leaf.column))
      assign(fmt::format("in.tree.edges[{}].child", leaf.child_field));
    else
      of_items(fmt::format("{}[item] = in.tree.place[in.forest.{}[i]];", into_, leaf.name));
  }

  // Whether all items of a child column belong to nodes of this one class.
  bool only_owner(int column) const {
    const auto& variants = e_.module().forest.variants;
    const bool one_variant = std::count_if(variants.begin(), variants.end(), [&](const Variant& v) {
                               return has_column(v, column);
                             }) == 1;
    return one_variant && e_.entry.classes[static_cast<std::size_t>(list().class_index)].part !=
                              loop::Class::Part::empty;
  }

  // Copies row `from` of a column to row `to` of the array.
  std::string copy(const std::string& column, const Field& field, const std::string& from,
                   const std::string& to) const {
    const loop::Buffer& b = buffer();
    std::int64_t outer = 1, last = 1;
    for (std::size_t a = 0; a < field.shape.size(); a++)
      (a + 1 < field.shape.size() ? outer : last) *= field.shape[a];
    const std::string convert = field.dtype == b.dtype       ? ""
                                : field.dtype == Dtype::f16  ? "espalier::from_f16"
                                : field.dtype == Dtype::bf16 ? "espalier::from_bf16"
                                                             : "static_cast<" + type() + ">";
    if (outer * last == 1 && b.stride == 1)
      return convert.empty()
                 ? fmt::format("{}[{}] = {}[{}];", into_, to, column, from)
                 : fmt::format("{}[{}] = {}({}[{}]);", into_, to, convert, column, from);
    const bool half = convert.starts_with("espalier");
    const auto offset = [](const std::string& row) {  // "item" and "row" are std::size_t
      return row == "item" || row == "row" ? row : "size(" + row + ")";
    };
    return fmt::format(
        "espalier::{0}_row({1} + {2} * {3}, {4}, {10} + {5} * {6}, {7}, {8}, {4}{9});",
        half ? "convert" : "copy", column, offset(from), outer * last, last, offset(to), b.stride,
        b.inner, outer, half ? ", " + convert : "", into_);
  }

  void payload() {
    const int c = m_.list < 0 ? m_.index : list().class_index;
    const Leaf leaf = leaf_of(e_, c, m_.field);
    const std::string column = "in.forest." + leaf.name;
    if (m_.list >= 0)
      of_items(copy(column, *leaf.field, "i", "item"), buffer().stride);
    else
      of_class(copy(column, *leaf.field, "original", "k"), buffer().stride);
  }

  // Edges of a node are numbered by column; so those of this one come after those of earlier ones.
  std::string edges_before(int class_index, int column) const {
    const Forest& forest = e_.module().forest;
    const auto v =
        static_cast<std::size_t>(e_.entry.classes[static_cast<std::size_t>(class_index)].variant);
    int single = 0;
    std::string text;
    for (const ChildColumn& other : child_columns(forest)) {
      if (other.column >= column || !has_column(forest.variants[v], other.column)) continue;
      if (other.list < 0) {
        single++;
        continue;
      }
      const std::string first =
          "in.forest." + e_.package.names.lists[static_cast<std::size_t>(other.list)];
      text += fmt::format(" + {0}[original + 1] - {0}[original]", first);
    }
    return single ? text + " + " + std::to_string(single) : text;
  }

  void slot() {
    const int c = m_.list < 0 ? m_.index : list().class_index;
    const Leaf leaf = leaf_of(e_, c, m_.field);
    const std::string base = " = in.edge_first[node]" + edges_before(c, leaf.column);
    if (m_.list < 0) return of_class(into_ + "[k]" + base + ";");
    of_items(into_ + "[item]" + base + " + (i - first[0]);");
  }

  Rows owners() const { return list().over < 0 ? call_rows() : list_rows(e_, list().over); }
  std::string call_first() const {
    return "calls." + e_.names.lists[static_cast<std::size_t>(list().list)];
  }

  // ---- Lists of pairs: from the arrays of the lists that meet in them ----

  std::string array_of(Kind kind, int list) const {
    for (const StructureMember& other : e_.entry.structure)
      if (other.kind == kind && other.list == list) return "g." + other.name;
    throw Bug("an array of a list that a list of pairs needs");
  }
  // The owner of row `row` of list `from` that has a list of the kind of `to`.
  std::string owner_at(int from, int to) const {
    std::string at = "row";
    const int wanted = e_.entry.lists[static_cast<std::size_t>(to)].over;
    for (int l = from; l != wanted && l >= 0;) {
      const loop::ListDomain& over = e_.entry.lists[static_cast<std::size_t>(l)];
      at = over.length >= 0 ? at + " / " + std::to_string(over.length)
                            : array_of(Kind::list_owner, l) + "[" + at + "]";
      l = over.over;
    }
    return at;
  }

  void pairs_first() {
    const loop::ListDomain& l = list();
    const Rows owners = owner_rows(e_, m_.list);
    take(plus_one(owners));
    if (l.field >= 0) return items_of_nodes_first(owners.text);
    const bool from = l.side == loop::ListDomain::Side::from;
    const bool to = l.side == loop::ListDomain::Side::to;
    const std::string begin = from ? "row" : first_of(l.like, "of"),
                      end = to ? "(row + 1)" : first_of(l.like, "of + 1");
    for (const std::string& line : std::vector<std::string>{
             into_ + "[0] = 0;",
             "for (std::int32_t row = 0; row < static_cast<std::int32_t>(" + owners.text +
                 "); row++) {",
             "  const std::int32_t of = " + owner_at(l.over, l.like) + ";",
             fmt::format("  {0}[row + 1] = {0}[row] + {1} - {2};", into_, end, begin), "}"})
      out_.last.push_back(line);
  }
  // Where the items are those of a node: none if that is of another variant.
  void items_of_nodes_first(const std::string& owners) {
    const loop::ListDomain& l = list();
    const loop::ListDomain& like = e_.entry.lists[static_cast<std::size_t>(l.like)];
    const int variant = e_.entry.classes[static_cast<std::size_t>(like.class_index)].variant;
    const std::string first = array_of(Kind::list_first, l.like);
    for (const std::string& line : std::vector<std::string>{
             into_ + "[0] = 0;", "for (std::size_t row = 0; row < " + owners + "; row++) {",
             "  const std::int32_t node = " + node_array(l) + "[row];",
             "  const std::int32_t* const of = " + first + " + g." + member_of(Kind::local) +
                 "[node];",
             fmt::format("  {0}[row + 1] = {0}[row] + (g.{1}[node] == {2} ? of[1] - of[0] : 0);",
                         into_, member_of(Kind::variant), variant),
             "}"})
      out_.last.push_back(line);
  }
  std::string node_array(const loop::ListDomain& l) const {
    for (const StructureMember& other : e_.entry.structure) {
      const bool kind = other.kind == (l.class_index < 0 ? Kind::root : Kind::child);
      if (kind && other.field == l.field && other.list == l.over &&
          (l.class_index < 0 || l.over >= 0 || other.index == l.class_index))
        return "g." + other.name;
    }
    throw Bug("the nodes of a list that is of nodes");
  }
  // The first item of an element of the owner of a list.
  std::string first_of(int list, const std::string& owner) const {
    const loop::ListDomain& l = e_.entry.lists[static_cast<std::size_t>(list)];
    return l.length >= 0 ? fmt::format("({}) * {}", owner, l.length)
                         : array_of(Kind::list_first, list) + "[" + owner + "]";
  }

  void pairs_owner() {
    take(list_rows(e_, m_.list));
    const std::string first = array_of(Kind::list_first, m_.list);
    for (const std::string& line : std::vector<std::string>{
             "for (std::size_t row = 0; row < " + owner_rows(e_, m_.list).text + "; row++)",
             fmt::format("  for (std::int32_t i = {0}[row]; i < {0}[row + 1]; i++)", first),
             "    " + into_ + "[i] = static_cast<std::int32_t>(row);"})
      out_.last.push_back(line);
  }

  void list_first() {
    if (list().like >= 0) return pairs_first();
    if (list().class_index < 0) {
      take(plus_one(owners()));
      return fill({into_ + "[0] = 0;",
                   "for (std::size_t row = 1; row <= " + owners().text + "; row++)",
                   "  " + into_ + "[row] = " + call_first() + "[row];"});
    }
    const std::string first =
        "in.forest." + e_.package.names.lists[static_cast<std::size_t>(list().list)];
    take(plus_one(class_rows(e_, list().class_index)));
    out_.before.push_back(into_ + "[0] = 0;");
    out_.each.push_back(
        fmt::format("{0}[k + 1] = {0}[k] + {1}[original + 1] - {1}[original];", into_, first));
  }

  void list_owner() {
    if (list().like >= 0) return pairs_owner();
    if (list().class_index >= 0) return of_items(into_ + "[item] = k;");
    take(list_rows(e_, m_.list));
    fill({fmt::format("for (std::size_t row = 0; row < {}; row++)", owners().text),
          fmt::format("  for (std::int32_t i = {0}[row]; i < {0}[row + 1]; i++)", call_first()),
          "    " + into_ + "[i] = static_cast<std::int32_t>(row);"});
  }

  std::string member_of(Kind kind) const {
    for (const StructureMember& other : e_.entry.structure)
      if (other.kind == kind) return other.name;
    return "";
  }

  // in_first, in_edge and in_owner are made together.
  void entering() {
    const std::string edge = member_of(Kind::in_edge), owner = member_of(Kind::in_owner);
    take(plus_one(node_rows()));
    take_array("edge", edge_rows(e_));
    if (!edge.empty()) out_.set.push_back("g." + edge + " = edge;");
    out_.fill.push_back("espalier::entering_edges(in.shape, in.tree, " + into_ + ", edge);");
    if (owner.empty()) return;
    take_array("owner", edge_rows(e_));
    out_.set.push_back("g." + owner + " = owner;");
    fill({"for (std::int32_t node = 0; node < in.tree.nodes; node++)",
          fmt::format("  for (std::int32_t i = {0}[node]; i < {0}[node + 1]; i++) owner[i] = node;",
                      into_)});
  }

  std::string argument_name() const { return e_.names.columns[static_cast<std::size_t>(m_.field)]; }
  const Field& argument_field() const {
    return e_.entry.arguments.columns[static_cast<std::size_t>(m_.field)];
  }

  void root_call() {
    take(node_rows());
    fill({"for (std::size_t node = 0; node < counts.nodes; node++) " + into_ + "[node] = -1;",
          "for (std::int32_t call = 0; call < calls.count; call++)",
          fmt::format("  {}[in.tree.place[calls.{}[call]]] = call;", into_, argument_name())});
  }

  void each_row(const std::string& statement, std::int64_t stride = 1) {
    const Rows rows = m_.list < 0 ? call_rows() : list_rows(e_, m_.list);
    take(rows, stride);
    fill({"for (std::size_t row = 0; row < " + rows.text + "; row++)", "  " + statement});
  }
  void root() { each_row(into_ + "[row] = in.tree.place[calls." + argument_name() + "[row]];"); }

  void argument() {
    const Field& field = argument_field();
    const loop::Buffer& b = buffer();
    std::int64_t elements = 1;
    for (const std::int64_t n : field.shape) elements *= n;
    const std::int64_t last = field.shape.empty() ? 1 : field.shape.back();
    const bool dense = b.stride == elements && (field.shape.size() < 2 || b.inner == last);
    if (field.dtype == b.dtype && dense)
      assign("calls." + argument_name());
    else
      each_row(copy("calls." + argument_name(), field, "row", "row"), b.stride);
  }

  const EntryContext& e_;
  const StructureMember& m_;
  std::string into_;
  MemberText out_;
};

}  // namespace

MemberText member_text(const EntryContext& e, const StructureMember& member,
                       const std::string& local) {
  return MemberPrinter(e, member, local).print();
}

}  // namespace espalier::emit
