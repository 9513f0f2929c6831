// The rules that need the syntax tree. Only lint's own files include this: it needs Clang.
#pragma once

#include <clang/AST/ASTConsumer.h>

#include <memory>
#include <set>
#include <string>

#include "inspect/findings.h"
#include "inspect/lint.h"

namespace espalier::inspect {

// Checks a translation unit; adds the names that it declares to `declared`.
std::unique_ptr<clang::ASTConsumer> make_rules(const Promises&, const LintOptions&, Findings&,
                                               std::set<std::string>& declared);

}  // namespace espalier::inspect
