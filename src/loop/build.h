// Builders of expressions and statements, with the simplifications that keep emitted code plain.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "loop/loop.h"

namespace espalier::loop {

inline constexpr Type int_type{Dtype::i32};
inline constexpr Type long_type{Dtype::i64};
inline constexpr Type bool_type{Dtype::boolean};
inline constexpr Type float_type{Dtype::f32};
inline constexpr Type vec_type{Dtype::f32, true};

ExprRef integer(std::int64_t, Type = int_type);
ExprRef number(double, Dtype);
ExprRef variable(std::string name, Type = int_type);
ExprRef constant(std::string name, std::int64_t value);
ExprRef load(int buffer, Type, ExprRef index);
ExprRef load(std::string pointer, Type, ExprRef index);
ExprRef item(std::string array, Type, ExprRef index);
ExprRef address(int buffer, Type, ExprRef row, ExprRef stride);
ExprRef pointer(int buffer, std::string name, Type, ExprRef offset);
ExprRef binary(std::string op, Type, ExprRef, ExprRef);
ExprRef unary(std::string op, Type, ExprRef);
ExprRef call(std::string name, Type, std::vector<ExprRef> args);
ExprRef select(ExprRef condition, ExprRef yes, ExprRef no);
ExprRef cast(Type, ExprRef);  // itself if it has the type

// Of an int that is known when compiling.
std::optional<std::int64_t> known_value(const ExprRef&);

// Of ints: constants are folded, x + 0, x * 1 and 0 * x vanish.
ExprRef add(ExprRef, ExprRef);
ExprRef sub(ExprRef, ExprRef);
ExprRef mul(ExprRef, ExprRef);

Stmt let(std::string name, ExprRef value);
Stmt variable_of(std::string name, Type, ExprRef value);
Stmt assign(std::string name, std::string op, ExprRef value);
Stmt store(int buffer, ExprRef index, ExprRef value);
Stmt store(std::string pointer, ExprRef index, ExprRef value);
Stmt for_loop(std::string name, ExprRef begin, ExprRef end, std::vector<Stmt> body);
Stmt comment(std::string);
Stmt simple(Stmt::Kind);

bool equal(const ExprRef&, const ExprRef&);
void visit(const ExprRef&, const std::function<void(const Expr&)>&);
// All expressions of a statement and of those inside it, whole trees.
void visit(const Stmt&, const std::function<void(const Expr&)>&);
void visit_statements(const std::vector<Stmt>&, const std::function<void(const Stmt&)>&);
// A copy in which every node for which `replace` gives something is that instead (children first).
ExprRef rewrite(const ExprRef&, const std::function<ExprRef(const ExprRef&)>& replace);
bool mentions(const ExprRef&, const std::string& name);  // a variable, pointer or local array

// "float", "std::int32_t"; how it is stored: bools as std::uint8_t, f16 and bf16 as std::uint16_t.
std::string cpp_type(Dtype);

inline std::int64_t padded(std::int64_t n) { return (n + 15) / 16 * 16; }

}  // namespace espalier::loop
