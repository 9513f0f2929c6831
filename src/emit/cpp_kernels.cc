// The kernels' file: helpers that are used, constants, functions.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "base/numbers.h"
#include "emit/cpp.h"
#include "emit/text.h"
#include "loop/build.h"
#include "loop/queries.h"

namespace espalier::emit {

using loop::Buffer;
using loop::Expr;
using loop::Function;
using loop::Stmt;

namespace {

struct Helper {
  const char* name;
  const char* text;
};

// In the order of printing.
constexpr Helper helpers[] = {
    {"row", R"(// Row n of a table, whose rows are `stride` elements apart.
template <int stride, class T>
T* row(T* table, std::int64_t n) {
  return table + static_cast<std::ptrdiff_t>(n) * stride;
}
)"},
    {"load_some", R"(// The first `count` of the numbers at p, at most a vector; zeros behind them.
vec load_some(const float* p, int count) {
  if (count >= lanes) return loadu(p);
  alignas(64) float some[lanes] = {};
  for (int i = 0; i < count; i++) some[i] = p[i];
  return load(some);
}
)"},
    {"exceeds", R"(// Whether x is the better maximum; NaN is the best.
template <class T>
bool exceeds(T x, T best) {
  return x > best || (x != x && best == best);
}
)"},
    {"falls_below", R"(// Whether x is the better minimum; NaN is the best.
template <class T>
bool falls_below(T x, T best) {
  return x < best || (x != x && best == best);
}
)"},
    {"copy_rows", R"(// Rows of `columns` numbers, each padded with zeros to `stride`.
template <int columns, int stride, class T>
void copy_rows(const T* in, int rows, T* out) {
  for (int n = 0; n < rows; n++)
    for (int j = 0; j < stride; j++)
      row<stride>(out, n)[j] = j < columns ? row<columns>(in, n)[j] : T{};
}
)"},
    {"copy_f16_rows", R"(// The same from 16-bit floats.
template <int columns, int stride>
void copy_f16_rows(const std::uint16_t* in, int rows, float* out) {
  for (int n = 0; n < rows; n++)
    for (int j = 0; j < stride; j++)
      row<stride>(out, n)[j] = j < columns ? from_f16(row<columns>(in, n)[j]) : 0.0f;
}
)"},
    {"copy_bf16_rows", R"(// The same from bfloat16.
template <int columns, int stride>
void copy_bf16_rows(const std::uint16_t* in, int rows, float* out) {
  for (int n = 0; n < rows; n++)
    for (int j = 0; j < stride; j++)
      row<stride>(out, n)[j] = j < columns ? from_bf16(row<columns>(in, n)[j]) : 0.0f;
}
)"},
    {"pack_panels",
     R"(// A matrix [rows, columns] in panels of `lanes` rows, [rows / lanes][columns][lanes], so that a
// product reads it from end to end; zeros where there is no row.
template <int rows, int columns>
void pack_panels(const float* in, float* out) {
  for (int j = 0; j < rows; j += lanes)
    for (int k = 0; k < columns; k++)
      for (int r = 0; r < lanes; r++) *out++ = j + r < rows ? row<columns>(in, j + r)[k] : 0.0f;
}
)"},
    {"report", R"(// Keeps the failure of the earliest check, and there of the lowest node.
void report(Failure& kept, const Failure& found) {
  const bool earlier = found.check == kept.check ? found.node < kept.node : found.check < kept.check;
  if (kept.code == ok || earlier) kept = found;
}
)"},
};

// The names of functions that a module calls, in kernels and by expressions.
std::set<std::string> used_names(const loop::Module& module) {
  std::set<std::string> used;
  for (const Function& f : module.functions) {
    for (const Stmt& s : f.body)
      loop::visit(s, [&](const Expr& e) {
        if (e.kind == Expr::Kind::call) used.insert(e.name);
        if (e.kind == Expr::Kind::address) used.insert("row");
        if (e.kind == Expr::Kind::constant && e.name.find(' ') == std::string::npos)
          used.insert(e.name);
        if (e.kind == Expr::Kind::cast && e.type.vector) used.insert("splat");
        if (e.kind == Expr::Kind::cast && !e.type.vector) used.insert("cast");
        if (e.kind == Expr::Kind::select && e.type.vector && !e.type.pointer) used.insert("select");
        if (e.kind == Expr::Kind::load && e.type.vector)
          used.insert(e.integer > 0 ? "load_some" : e.number != 0 ? "loadu" : "load");
        if (e.type.vector) used.insert(e.type.dtype == Dtype::boolean ? "mask" : "vec");
      });
    loop::visit_statements(f.body, [&](const Stmt& s) {
      if (s.kind == Stmt::Kind::call) used.insert(s.name);
      if (s.kind == Stmt::Kind::fail) used.insert("report");
      if (s.kind == Stmt::Kind::store && s.type.vector) used.insert(s.aligned ? "store" : "storeu");
      if ((s.kind == Stmt::Kind::let || s.kind == Stmt::Kind::variable) && s.type.vector)
        used.insert("vec");
    });
  }
  if (used.count("pack_panels")) used.insert({"lanes", "row"});
  for (const char* copy : {"copy_rows", "copy_f16_rows", "copy_bf16_rows"})
    if (used.count(copy)) used.insert("row");
  if (used.count("copy_f16_rows")) used.insert("from_f16");
  if (used.count("copy_bf16_rows")) used.insert("from_bf16");
  if (used.count("load_some")) used.insert({"vec", "lanes", "load", "loadu"});
  return used;
}

void print_usings(const std::set<std::string>& used, const loop::Module& module, LineBuffer& out) {
  std::set<std::string> own;
  for (const Helper& h : helpers) own.insert(h.name);
  for (const Function& f : module.functions) own.insert(f.name);
  for (const loop::NamedConstant& c : module.named) own.insert(c.name);
  for (const std::string& dim : loop::api_names(module).dims) own.insert(dim);
  own.insert("splat_");
  for (const std::string& name : used)
    if (!own.count(name)) out.line("using espalier::{};", name);
}

void print_failures(const std::string& w, LineBuffer& out, std::vector<std::string>& declarations) {
  out.line("// The earliest failure of all members, or ok.");
  out.line("Status first_failure(const {}& w, int members) {{", w);
  out.line("  Failure first;");
  out.line("  for (int t = 0; t < members; t++)");
  out.line("    if (w.failure[t].code != ok) report(first, w.failure[t]);");
  out.line("  return {first.code, first.node, first.detail};");
  out.line("}");
  out.line();
  declarations.push_back("Status first_failure(const " + w + "& w, int members)");
}

}  // namespace

std::string CppPrinter::signature(const Function& f) const {
  std::string printed = f.result + " " + f.name + "(";
  for (std::size_t i = 0; i < f.params.size(); i++)
    printed += (i == 0 ? "" : ", ") + f.params[i].type + " " + f.params[i].name;
  return printed + ")";
}

void CppPrinter::function(const Function& f, LineBuffer& out) {
  function_ = &f;
  print_comment(loop::whole_comment(f), out);
  if (!f.tile.empty()) out.line("template <int {}>", f.tile);
  print_code(signature(f) + " {", out);
  body(f.body, out);
  out.line("}");
  function_ = nullptr;
}

void CppPrinter::constant_array(const Buffer& b, LineBuffer& out) const {
  const auto at = std::find_if(module_.constants.begin(), module_.constants.end(),
                               [&](const Constant& c) { return c.name == b.source; });
  const std::size_t columns = b.shape.empty() ? 1 : static_cast<std::size_t>(b.shape.back());
  const auto inner = static_cast<std::size_t>(b.inner);
  const std::size_t rows = columns == 0 ? 0 : at->values.size() / columns;
  print_code(fmt::format("alignas(64) const {} {}[{}] = {{  // {}", loop::cpp_type(b.dtype), b.name,
                         std::max<std::size_t>(rows * inner, 1), b.layout),
             out);
  const auto indent = out.indent();
  std::string line;
  const auto put = [&](const std::string& text) {
    if (!line.empty() && out.margin() + line.size() + text.size() + 2 > 99) {
      out.line(line);
      line.clear();
    }
    line += (line.empty() ? "" : " ") + text + ",";
  };
  for (std::size_t r = 0; r < rows; r++)
    for (std::size_t c = 0; c < inner; c++) {
      const double v = c < columns ? at->values[r * columns + c] : 0;
      put(is_float(b.dtype) ? number(v, b.dtype) : literal(static_cast<std::int64_t>(v)));
    }
  if (!line.empty()) out.line(line);
}

namespace {

bool takes(const Function& f, const std::string& param) {
  return std::any_of(f.params.begin(), f.params.end(),
                     [&](const loop::Param& p) { return p.name == param; });
}

// The names that functions share are explained once, at the top.
std::string head_of(const loop::Module& module, const std::set<std::string>& used) {
  std::string entries;
  for (const loop::Entry& entry : module.entries)
    entries += (entries.empty() ? "" : ", ") + entry.name + "()";
  std::string text = "The kernels of " + entries + ": tune here.\n \n";
  const auto any = [&](const char* param) {
    return std::any_of(module.functions.begin(), module.functions.end(),
                       [&](const Function& f) { return takes(f, param); });
  };
  text +=
      "Each member of the team runs every kernel, on its share of the elements: those from `begin` "
      "to `end`. The team meets between kernels" +
      std::string(any("barrier") ? ", and in a sweep between levels" : "") + ".";
  if (any("first"))
    text +=
        " Elements of a class are numbered level by level; `first` is the first of the level at "
        "hand, and temporaries of a level begin there" +
        std::string(any("offset") ? ". An element's number among all nodes is `offset` more than "
                                    "its number in its class"
                                  : "") +
        ".";
  if (used.count("pack_panels"))
    text +=
        "\n \nMatrices of products stand in panels of `lanes` rows, so that a product reads them "
        "from "
        "end to end: row<columns>(m.W, j) is where the panel of rows j to j + lanes begins, "
        "`lanes` numbers for each column. A tile makes several rows of a product at once: each "
        "vector of weights that it loads serves all of them.";
  return text;
}

void print_constants(const loop::Module& module, const std::string& functions, LineBuffer& out) {
  for (const loop::NamedConstant& c : module.named) {
    if (!names_word(functions, c.name)) continue;
    const std::string code = fmt::format("constexpr int {} = {};", c.name, c.value);
    const bool beside = code.size() + 4 + c.comment.size() < 100;
    if (!beside) print_comment(c.comment, out);
    out.line("{}{}", code, beside ? "  // " + c.comment : "");
  }
}

}  // namespace

KernelSource cpp_kernels(const loop::Module& module) {
  KernelSource made;
  CppPrinter printer(module);
  const std::set<std::string> used = used_names(module);
  LineBuffer inner, outer;
  for (const Function& f : module.functions) {
    LineBuffer& to = f.exported ? outer : inner;
    printer.function(f, to);
    to.line();
    if (f.exported) made.declarations.push_back(printer.signature(f));
  }
  const std::string inner_text = std::move(inner).text(), outer_text = std::move(outer).text();
  LineBuffer out;
  print_usings(used, module, out);
  out.separate();
  out.line("namespace {");
  out.line();
  print_constants(module, inner_text + outer_text, out);
  out.separate();
  for (const Buffer& b : module.buffers) {
    if (b.space != Buffer::Space::constants) continue;
    printer.constant_array(b, out);
    out.line("};");
    out.line();
  }
  for (const Helper& h : helpers) {
    if (!used.count(h.name)) continue;
    out.line(std::string_view(h.text).substr(0, std::string_view(h.text).size() - 1));
    out.line();
  }
  made.body = std::move(out).text() + inner_text + "}  // namespace\n\n" + outer_text;
  LineBuffer failures;
  if (loop::has_checks(module)) print_failures(module.workspace_type, failures, made.declarations);
  made.body += std::move(failures).text();
  LineBuffer head;
  print_comment(head_of(module, used), head);
  made.head = std::move(head).text();
  return made;
}

}  // namespace espalier::emit
