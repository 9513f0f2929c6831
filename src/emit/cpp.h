// The kernels' source in C++: prints what the loop IR says, and decides nothing.
#pragma once

#include <string>
#include <vector>

#include "base/line_buffer.h"
#include "loop/api_names.h"
#include "loop/loop.h"

namespace espalier::emit {

// NAME_kernels.cpp but for its frame.
struct KernelSource {
  std::string head;                       // the comment at the top of the file
  std::string body;                       // what stands in the namespace
  std::vector<std::string> declarations;  // of exported functions, without semicolons
};

KernelSource cpp_kernels(const loop::Module&);

// The parts, each in a file of its own.
class CppPrinter {
 public:
  explicit CppPrinter(const loop::Module& module)
      : module_(module), api_(loop::api_names(module)) {}

  void function(const loop::Function&, LineBuffer& out);
  std::string signature(const loop::Function&) const;
  std::string expression(const loop::ExprRef& e) const { return text(e).text; }
  void statement(const loop::Stmt&, LineBuffer& out) const;
  void constant_array(const loop::Buffer&, LineBuffer& out) const;

 private:
  struct Text {
    std::string text;
    int strength;  // of the outermost operator, as in C++; 16: a primary expression
  };
  Text text(const loop::ExprRef&) const;
  Text load(const loop::Expr&) const;
  Text cast(const loop::Expr&) const;
  Text call(const loop::Expr&) const;
  Text binary(const loop::Expr&) const;
  std::string wrapped(const loop::ExprRef&, int needed) const;
  std::string buffer(int number) const;
  std::string offset(const std::string& base, const loop::ExprRef& index) const;
  std::string number(double, Dtype) const;
  std::string status(const std::string& code) const;

  std::string call_text(const loop::Stmt&) const;
  void choose(const loop::Stmt&, LineBuffer& out) const;
  void loop(const loop::Stmt&, LineBuffer& out) const;
  void declaration(const loop::Stmt&, LineBuffer& out) const;
  void store(const loop::Stmt&, LineBuffer& out) const;
  void branch(const loop::Stmt&, LineBuffer& out) const;
  void body(const std::vector<loop::Stmt>&, LineBuffer& out) const;

  const loop::Module& module_;
  const loop::ApiNames api_;
  const loop::Function* function_ = nullptr;  // at work
};

// `text` as lines that begin with //, wrapped at 100 columns, with nothing in them that could end
// or continue a comment.
void print_comment(const std::string& text, LineBuffer& out);
// A line of code broken behind commas and before operators where it passes column 100.
void print_code(const std::string& text, LineBuffer& out);
std::string cpp_name(loop::Type);  // "const float*", "vec"

}  // namespace espalier::emit
