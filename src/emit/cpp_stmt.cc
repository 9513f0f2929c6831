// Statements in C++.
#include "base/bug.h"
#include "emit/cpp.h"
#include "loop/build.h"

namespace espalier::emit {

using loop::Expr;
using loop::Stmt;

void CppPrinter::body(const std::vector<Stmt>& all, LineBuffer& out) const {
  const auto indent = out.indent();
  for (const Stmt& s : all) statement(s, out);
}

void CppPrinter::statement(const Stmt& s, LineBuffer& out) const {
  switch (s.kind) {
    case Stmt::Kind::loop: return loop(s, out);
    case Stmt::Kind::let:
    case Stmt::Kind::variable: return declaration(s, out);
    case Stmt::Kind::assign: {
      const std::string target = s.index ? s.name + "[" + expression(s.index) + "]" : s.name;
      return print_code(target + " " + s.op + "= " + expression(s.value) + ";", out);
    }
    case Stmt::Kind::store: return store(s, out);
    case Stmt::Kind::branch: return branch(s, out);
    case Stmt::Kind::call: return print_code(call_text(s) + ";", out);
    case Stmt::Kind::choose: return choose(s, out);
    case Stmt::Kind::share:
      return print_code(
          "const espalier::Share " + s.name + "(" + expression(s.value) + ", member, members);",
          out);
    case Stmt::Kind::barrier:
      if (s.name == "checks")
        return out.line("if (barrier.wait(w.failure[member].code != ok)) return;");
      return out.line("barrier.wait();");
    case Stmt::Kind::leave:
      if (s.name == "member") return out.line("if (w.failure[member].code != ok) return;");
      return out.line("return;");
    case Stmt::Kind::comment: return print_comment(s.name, out);
    case Stmt::Kind::blank: return out.line();
    case Stmt::Kind::fail:
      return print_code("report(w.failure[member], {" + std::to_string(s.check) + ", " +
                            status(s.name) + ", " + expression(s.args[0]) + ", " +
                            expression(s.args[1]) + "});",
                        out);
  }
}

std::string CppPrinter::call_text(const Stmt& s) const {
  std::string printed = s.name + (s.tile.empty() ? "" : "<" + s.tile + ">") + "(";
  for (std::size_t i = 0; i < s.args.size(); i++)
    printed += (i == 0 ? "" : ", ") + expression(s.args[i]);
  return printed + ")";
}

void CppPrinter::choose(const Stmt& s, LineBuffer& out) const {
  print_code("switch (" + expression(s.value) + ") {", out);
  {
    const auto indent = out.indent();
    for (std::size_t i = 0; i < s.body.size(); i++)
      print_code(
          "case " + std::to_string(s.body.size() - i) + ": return " + call_text(s.body[i]) + ";",
          out);
  }
  out.line("}");
}

void CppPrinter::loop(const Stmt& s, LineBuffer& out) const {
  const std::string type = cpp_name(s.type), begin = expression(s.begin), end = expression(s.end);
  std::string head;
  if (s.down) {
    head = "for (" + type + " " + s.name + " = " + end + " - 1; " + s.name + " >= " + begin + "; " +
           s.name + "--)";
  } else {
    const std::string step = s.step ? " += " + expression(s.step) : "++";
    head = "for (" + type + " " + s.name + " = " + begin + "; " + s.name + " < " + end + "; " +
           s.name + step + ")";
  }
  const bool one = s.body.size() == 1 && s.body[0].kind != Stmt::Kind::branch &&
                   s.body[0].kind != Stmt::Kind::choose && s.body[0].kind != Stmt::Kind::let;
  if (one) {
    LineBuffer inner;
    statement(s.body[0], inner);
    std::string text = inner.text();
    text.pop_back();
    const bool line =
        text.find('\n') == std::string::npos && out.margin() + head.size() + 1 + text.size() < 100;
    if (line) return out.line(head + " " + text);
  }
  print_code(head + (one ? "" : " {"), out);
  body(s.body, out);
  if (!one) out.line("}");
}

void CppPrinter::declaration(const Stmt& s, LineBuffer& out) const {
  if (s.count) {
    const bool zeros = !s.type.pointer;
    return out.line("{} {}[{}]{};", cpp_name(s.type), s.name, expression(s.count),
                    zeros ? " = {}" : "");
  }
  std::string type = cpp_name(s.type);
  if (s.kind == Stmt::Kind::let) type = s.type.pointer ? type + " const" : "const " + type;
  const bool zero = s.type.vector && s.value->kind == Expr::Kind::number && s.value->number == 0;
  print_code(type + " " + s.name + " = " + (zero ? "{}" : expression(s.value)) + ";", out);
}

void CppPrinter::store(const Stmt& s, LineBuffer& out) const {
  const std::string base = s.buffer >= 0 ? buffer(s.buffer) : s.name;
  if (s.type.vector) {
    return print_code((s.aligned ? "store(" : "storeu(") + offset(base, s.index) + ", " +
                          expression(s.value) + ");",
                      out);
  }
  const bool bytes = s.value->kind == Expr::Kind::load;  // as they stand in memory
  const bool narrow = s.type.dtype == Dtype::boolean && !bytes;
  print_code(base + "[" + expression(s.index) + "] " + s.op + "= " +
                 (narrow ? "static_cast<std::uint8_t>(" + expression(s.value) + ")"
                         : expression(s.value)) +
                 ";",
             out);
}

void CppPrinter::branch(const Stmt& s, LineBuffer& out) const {
  std::string condition = expression(s.value);
  print_code("if (" + condition + ") {", out);
  body(s.body, out);
  if (!s.other.empty()) {
    out.line("} else {");
    body(s.other, out);
  }
  out.line("}");
}

}  // namespace espalier::emit
