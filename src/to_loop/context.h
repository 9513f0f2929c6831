// What the parts of the lowering share: the tables under construction, and where values live.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/names.h"
#include "loop/api_names.h"
#include "loop/build.h"
#include "to_loop/to_loop.h"

namespace espalier::to_loop {

using loop::ExprRef;
using loop::Stmt;
using wave::Id;
using wave::ScalarRef;

// f16 and bf16 are computed, and kept between operators, as f32.
inline Dtype computed(Dtype t) { return t == Dtype::f16 || t == Dtype::bf16 ? Dtype::f32 : t; }

struct Group;  // plan.h

// Where a value stands: row `row` of a buffer for each of its elements.
struct Place {
  enum class Row : std::uint8_t {
    one,      // of a value without elements
    element,  // the element itself
    all,      // the element's number among all nodes
    edge,     // the number of the edge in child field `field` of the element
    expr,     // no buffer: the value is an expression of the element
  };
  int buffer = -1;
  Row row = Row::element;
  int field = -1;
};

// One for the whole module.
struct Shared {
  const wave::Module& wave;
  const Options& options;
  loop::Module& module;
  loop::ApiNames api;
  Names names;                             // of the kernels' file
  Names model_names;                       // members of Model
  Names structure_names, workspace_names;  // of the structs that entries share
  std::map<std::tuple<std::string, bool>, int>
      parameters;  // leaf, as it stands or prepared: buffer
  std::map<std::string, int> constants;
  std::map<std::string, std::string> constant_names;  // NamedConstant by value text
  std::map<bool, std::set<std::string>> sweeps;       // what those downwards, and upwards, compute
  int checks = 0;
  struct Panels {
    std::string leaf;  // where the weights are a parameter [rows, over] as it stands
    ScalarRef weights;
    std::vector<std::int64_t> over;
    std::int64_t rows = 0;
    int buffer = -1;
    std::size_t entry = 0;  // that fills them
    int recipe = -1;        // of the weights
  };
  std::vector<Panels> panels;
  std::set<int> filled, loaded;  // prepared buffers that prepare() fills already: copies, values
  std::map<std::string, loop::StructureMember> members;  // by all that tells them apart
  std::map<std::string, std::vector<int>> buffers;       // of the workspace, alike
  std::map<std::string, int> recipes;                    // how values of the load phase are made
  std::map<int, int> prepared;                           // .. and the buffers that they have

  Shared(const wave::Module& w, const Options& o, loop::Module& m, loop::ApiNames names_of)
      : wave(w), options(o), module(m), api(std::move(names_of)) {}

  ExprRef extent(std::int64_t n, const std::string& dim);      // a dim's name, or the number
  ExprRef row_extent(std::int64_t n, const std::string& dim);  // padded
  std::string extent_text(std::int64_t n, const std::string& dim) const;
  // "[nodes][hidden_row]": rows, then the axes of a buffer's row as they are laid out.
  std::string layout(const std::string& rows, const loop::Buffer&,
                     const std::vector<std::string>& dims);
  bool used_elsewhere(const std::string& name) const { return names.taken(name); }
};

class Context {
 public:
  Context(Shared& shared, const wave::Entry& source, loop::Entry& out);
  ~Context();

  Shared& shared;
  wave::Entry entry;  // a copy: values are added
  loop::Entry& out;
  std::map<Id, Place> places;                // of computed values and carries, once decided
  std::map<Id, const wave::Op*> steps_of;    // carries of steps
  std::map<Id, std::vector<Id>> parts_of;    // domains on which a carry is set
  std::map<Id, std::pair<Id, int>> aliases;  // values made in a carry's rows: carry, child field
  std::map<const wave::Op*, std::vector<Group>> groups_of;  // regions of steps
  std::map<Id, ScalarRef> bodies;                           // of added values
  struct Operand {  // of products that read something else than a row
    ScalarRef body;
    std::vector<std::int64_t> over;
    Id value;
  };
  std::vector<Operand> operands;
  int kernel = 0;  // under construction

  // Domains.
  Id root_of(Id domain) const;  // the outermost owner
  int class_of(Id nodes);
  int list_of(Id list);                           // in out.lists; not for fixed lengths
  int depth(Id domain) const;                     // 0: not a list
  bool one_class() const;                         // a class's numbering is that of all nodes
  ExprRef count_of(Id domain);                    // how many elements there are in the call
  loop::Extent extent_of(Id domain, bool level);  // for a buffer
  std::string rows_name(Id domain) const;         // "nodes", for comments

  // Structure members, made where first asked for.
  int array(loop::StructureMember, loop::Buffer);
  ExprRef count(loop::StructureMember::Kind, int index = 0);
  int class_array(loop::StructureMember::Kind, Id nodes);  // class_first, class_place, place
  int list_array(loop::StructureMember::Kind, Id list);    // list_first, list_owner
  void need_arrays(loop::StructureMember::Kind, Id list);
  int node_array(loop::StructureMember::Kind, int field = -1);  // level_first, original, ..
  int field_array(loop::StructureMember::Kind, Id domain, int field);
  int input(const wave::Value&);  // payload, argument, child, slot, root: its buffer

  // Values.
  Place place_of(Id value);
  Place carry_place(Id carry, int field) const;  // of elements of the part that is set
  int parameter(const std::string& leaf, bool prepared);
  int constant(const std::string& name);
  std::string dim(Id value, std::size_t axis);  // the dim that an axis is as long as, or ""
  void name_dims(Id value, std::vector<std::string> dims) { dims_[value] = std::move(dims); }
  // "h", or "left_h" where it is read at a child.
  std::string read_name(Id value, const ScalarRef& element) const;
  std::string bound_dim(const ScalarRef& body, int which, std::int64_t extent);
  // A number for what the value, or the scalar, is made of: equal ones are made alike in every
  // entry.
  int recipe(Id value);
  int recipe(const ScalarRef&);
  int new_buffer(Id value, loop::Buffer::Space, loop::Extent rows);
  bool loads(const wave::Value& v) const { return v.phase == wave::Phase::load; }

 private:
  int add_member(loop::StructureMember, const std::string& wanted, loop::Buffer*);
  std::string class_key(int index) const;
  std::string list_key(int list) const;
  std::string rows_key(const loop::Extent&) const;
  int intern(const std::string& recipe);
  std::vector<std::string> infer_dims(Id value);
  std::string joined_dim(const ScalarRef& body, std::size_t which, std::int64_t extent);
  std::map<Id, std::vector<std::string>> dims_;
  std::set<Id> dims_at_work_;
  std::map<Id, int> classes_, lists_;
};

std::string key_of(const loop::Buffer&);  // all but its name: alike buffers have the same

// Lays out rows of `shape`: floats are padded along the last axis.
void lay_out(loop::Buffer& buffer, std::vector<std::int64_t> shape, bool pad);

}  // namespace espalier::to_loop
