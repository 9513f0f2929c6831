// The wave entry under construction: domains, inputs, the context that expressions are lowered in.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "to_wave/abstract.h"

namespace espalier::to_wave {

using wave::Id;
using wave::Op;
using wave::ScalarRef;

class Program : public ops::Lowering {
 public:
  struct Guard {
    Id domain;
    ScalarRef condition;
  };

  Program(const wave::Module& module, wave::Entry& entry);

  // ---- Domains and inputs: found, or made the first time they are asked for ----
  Id once() const { return once_; }
  Id calls();
  Id all();
  Id edges();
  Id parents();
  Id nodes(int variant);
  Id list(Id owner, int number);              // number: in the forest's or the arguments' lists
  Id literal(Id owner, std::int64_t length);  // a new one each time
  Id pairs(Id owner, Id like, wave::Domain::Side);
  Id items_of_node(Id owner, int field, Id like);  // of the node in that leaf of the owner's
  // Of the given kind on the domain; `field` is a leaf of the variant or of the arguments.
  Id input(wave::Value::Kind, Id domain, int field = -1);
  Id parameter(const std::string& leaf);
  Id constant(const std::string& name);
  const wave::Domain& domain(Id d) const { return entry_.domain(d); }
  const wave::Value& value(Id v) const { return entry_.value(v); }
  const Field& leaf(Id domain,
                    int field) const;  // of the variant (or arguments) that `domain` is over

  // ---- The context ----
  Id here() const { return here_; }
  bool reaches(Id from, Id outer) const;  // itself, or its owner, or that one's
  ScalarRef path(Id to) const;  // the context's element, as an element of `to`: itself or an owner
  ScalarRef move(const ScalarRef&, Id from) const;   // a scalar on `from`, in the context's terms
  ops::Term move(const Abs&) const;                  // a tensor's or node's term likewise
  AbsRef load(Id value, const ScalarRef& at) const;  // of a value, at an element, on the context
  AbsRef load(Id value) const;  // of a value on the context's domain or an outer one
  ScalarRef guard() const;      // all conditions in force, or null

  class Scope {  // for its life the context is domain `d`
   public:
    Scope(Program& p, Id d) : program_(p), outer_(p.here_) { p.here_ = d; }
    ~Scope() { program_.here_ = outer_; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Program& program_;
    Id outer_;
  };
  class Guarded {  // for its life operators run only where `condition` (on the context) holds
   public:
    Guarded(Program& p, ScalarRef condition) : program_(p) {
      p.guards_.push_back({p.here_, std::move(condition)});
    }
    ~Guarded() { program_.guards_.pop_back(); }
    Guarded(const Guarded&) = delete;
    Guarded& operator=(const Guarded&) = delete;

   private:
    Program& program_;
  };
  class Where {  // Guarded; null: nothing
   public:
    Where(Program& p, ScalarRef condition) : program_(p), guards_(p.guards_.size()) {
      if (condition) p.guards_.push_back({p.here_, std::move(condition)});
    }
    ~Where() { program_.guards_.resize(guards_); }
    Where(const Where&) = delete;
    Where& operator=(const Where&) = delete;

   private:
    Program& program_;
    std::size_t guards_;
  };
  class Outside {  // for its life, if `wanted`, operators go before the regions that are open
   public:
    Outside(Program& p, bool wanted) : program_(p), wanted_(wanted) {
      if (wanted) p.regions_.emplace_back().outside = true;
    }
    ~Outside() {
      if (wanted_) program_.close_outside();
    }
    Outside(const Outside&) = delete;
    Outside& operator=(const Outside&) = delete;

   private:
    Program& program_;
    bool wanted_;
  };
  class Fresh {  // for its life no guard is in force: what is made now serves every element
   public:
    explicit Fresh(Program& p) : program_(p) { guards_.swap(p.guards_); }
    ~Fresh() { guards_.swap(program_.guards_); }
    Fresh(const Fresh&) = delete;
    Fresh& operator=(const Fresh&) = delete;

   private:
    Program& program_;
    std::vector<Guard> guards_;
  };
  const std::string& name() const { return name_; }
  class Named {  // for its life new values are called `name`, at `loc`
   public:
    Named(Program& p, std::string name, Loc loc);
    ~Named();
    Named(const Named&) = delete;
    Named& operator=(const Named&) = delete;

   private:
    Program& program_;
    std::string name_;
    Loc loc_;
    std::size_t first_;  // value made in its life
  };

  class At {  // for its life new values come from `loc`
   public:
    At(Program& p, Loc loc) : program_(p), outer_(p.loc_) { p.loc_ = loc; }
    ~At() { program_.loc_ = outer_; }
    At(const At&) = delete;
    At& operator=(const At&) = delete;

   private:
    Program& program_;
    Loc outer_;
  };

  // ---- Operators ----
  ops::Term reduce(wave::Reduce, Dtype, std::vector<std::int64_t> shape,
                   std::vector<std::int64_t> extents, const Body&) override;
  ops::Term materialize(const ops::Term&) override;
  void check(const ops::Term& condition, const std::string& code, const ops::Term& detail) override;
  // Over the items of a list over the context: `item` is a term on the list.
  ops::Term reduce_list(wave::Reduce, Dtype, Id list, const ops::Term& item);
  ops::Term settle(const ops::Term&);  // materialized, under the name at hand
  // The term as a value on the context's domain itself.
  Id define(const ops::Term&);
  Id carry(const std::string& name, Id domain, Dtype, std::vector<std::int64_t> shape);
  Id previous(Id carry, Id initial);
  void set(Id carry, Id part, int field, Id value);
  void open(Op::Kind, Id list = wave::none, bool backward = false);  // a region
  void close();
  void drop();  // the innermost region, with what is in it
  bool in_sweep() const;

 private:
  struct Region {
    Op op;
    std::vector<Op> ops;
    bool outside = false;
  };
  void close_outside();
  Id add_domain(wave::Domain);
  Id add_value(wave::Value);
  template <class Source>  // a Parameter or Constant
  Id of_load(wave::Value::Kind, const std::vector<Source>&, const std::string& name);
  std::string unique_domain_name(const std::string& wanted) const;
  void append(Op, Id domain);
  bool inside(const Region&, Id domain) const;
  std::string part_name(const Op&) const;
  void take_name(Id whole);
  Id whole_value(const ScalarRef&, const ops::Term&) const;
  void name_parts(std::size_t first);
  Id compute(Op, Id domain, Dtype, std::vector<std::int64_t> shape);
  Id least_domain(Id domain, std::vector<ScalarRef*> scalars) const;

  const wave::Module& module_;
  wave::Entry& entry_;
  Id once_, here_;
  std::vector<Region> regions_;
  std::vector<Guard> guards_;
  std::map<Id, std::string> what_;  // computes it: "exp", "sum"
  std::set<Id> unnamed_;            // .. and is named after its operands alone
  std::string name_ = "value";
  Loc loc_;
};

// Thrown where an item of a list is wanted in terms of something else than its own list.
struct OutsideList {};

bool cheap(const ScalarRef&);  // loads, indices and choices only

}  // namespace espalier::to_wave
