// The reader behind model.h: a method a key of the model.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fun/module.h"
#include "read/object.h"
#include "read/parser.h"
#include "read/type_parser.h"

namespace espalier::read {

class ModelReader {
 public:
  ModelReader(const JsonFile* file, Diagnostics* diagnostics) : reading_{file, diagnostics} {}

  // Incomplete where diagnostics were reported.
  fun::Module read();

 private:
  const Json& root() const { return reading_.file->root(); }
  // The object under a key of the model: null where absent or, after a diagnostic, no object.
  const Json* section(const std::string& key);
  bool text(const Json&, const std::string& what, std::string* out);
  void doc(const Json& object, std::string* out);
  bool texts(const Json&, const std::string& what, std::vector<std::string>* out,
             std::vector<Loc>* places = nullptr);
  void refuse_reserved(const Json& object, const std::vector<std::string>& keys);
  Snippet snippet(const Json&) const;
  Snippet key_snippet(const JsonText&) const;
  // Claims a global name.
  void claim(const JsonText& name, const std::string& what);

  // model.cc
  void header();
  void weights();
  void rename(const Json& tensors);
  void entries();
  void gradients();
  void functions();
  void function(const JsonText& name, const Json&);
  void argument(const JsonText& name, const Json&, const TypeScope&, fun::Function*);
  TypeScope with_forall(const Json& function, fun::Function*);
  ParseContext context() const;

  // model_types.cc
  void dims();
  void dim(const JsonText& name, const Json&);
  bool uses_later_dim(const JsonText& name, const Json&);
  std::set<std::string> names_in(const Json&) const;
  void types();
  void declare(const JsonText& name, const Json&);
  void aliases();
  void expand_alias(const std::string& first);
  void data_type(const JsonText& name, const Json&, fun::DataType*);
  void variants(const Json&, const TypeScope&, fun::DataType*);
  fun::TypeRef type(const Json&, const TypeScope&, const std::string& what);
  bool holds_data(const Json& at, const fun::Type&, const std::string& what);
  void params();

  // model_constants.cc
  void constants();
  bool elements(const Json&, const fun::Type&, std::size_t axis, std::vector<double>* out);
  std::optional<double> element(const Json&, const fun::Type&);

  Reading reading_;
  fun::Module module_;
  TypeScope scope_;
  std::map<std::string, const Json*> dim_texts_, alias_texts_;
  std::vector<std::string> alias_order_;
  std::vector<std::string> data_names_;
  struct Global {
    Loc loc;
    std::string what;
  };
  std::map<std::string, Global> globals_;
};

}  // namespace espalier::read
