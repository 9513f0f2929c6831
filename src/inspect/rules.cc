#ifdef ESPALIER_HAS_CLANG

#include "inspect/rules.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/ASTMatchers/ASTMatchFinder.h>
#include <clang/Analysis/CallGraph.h>
#include <llvm/ADT/SCCIterator.h>

#include <algorithm>

#include "base/kinds.h"

namespace espalier::inspect {

namespace {

using namespace clang::ast_matchers;
using clang::FunctionDecl;

const std::set<std::string> heap_functions = {"malloc",        "calloc",         "realloc", "free",
                                              "aligned_alloc", "posix_memalign", "strdup"};

bool contains(const std::vector<std::string>& all, const std::string& name) {
  return std::find(all.begin(), all.end(), name) != all.end();
}

// One matcher's answer.
using Check = std::function<void(const MatchFinder::MatchResult&)>;

class Callback : public MatchFinder::MatchCallback {
 public:
  explicit Callback(Check check) : check_(std::move(check)) {}
  void run(const MatchFinder::MatchResult& result) override { check_(result); }

 private:
  Check check_;
};

// Is the parameter ever written through, or handed on to where it could be?
class Writes : public clang::RecursiveASTVisitor<Writes> {
 public:
  explicit Writes(const clang::ParmVarDecl* parameter) : parameter_(parameter) {}

  bool VisitDeclRefExpr(clang::DeclRefExpr* use) {
    if (use->getDecl() == parameter_) uses_++;
    return true;
  }
  // A read: *p, p[i] or p->x, loaded.
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) {
    if (cast->getCastKind() == clang::CK_LValueToRValue && reads(cast->getSubExpr())) reads_++;
    return true;
  }
  bool only_reads() const { return uses_ > 0 && uses_ == reads_; }

 private:
  bool reads(const clang::Expr* e) const {
    e = e->IgnoreParenImpCasts();
    if (const auto* index = llvm::dyn_cast<clang::ArraySubscriptExpr>(e))
      return is(index->getBase());
    if (const auto* star = llvm::dyn_cast<clang::UnaryOperator>(e))
      return star->getOpcode() == clang::UO_Deref && is(star->getSubExpr());
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) return is(member->getBase());
    return false;
  }
  bool is(const clang::Expr* e) const {
    const auto* ref = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts());
    return ref && ref->getDecl() == parameter_;
  }

  const clang::ParmVarDecl* parameter_;
  int uses_ = 0, reads_ = 0;
};

class Rules : public clang::ASTConsumer {
 public:
  Rules(const Promises& promises, const LintOptions& options, Findings& findings,
        std::set<std::string>& declared)
      : promises_(promises), options_(options), findings_(findings), declared_(declared) {}

  void HandleTranslationUnit(clang::ASTContext& context) override {
    sources_ = &context.getSourceManager();
    MatchFinder finder;
    heap(finder);
    variables(finder);
    calls(finder);
    functions(finder);
    finder.matchAST(context);
    recursion(context);
  }

 private:
  void match(MatchFinder& finder, const auto& matcher, Check check) {
    callbacks_.push_back(std::make_unique<Callback>(std::move(check)));
    finder.addMatcher(matcher, callbacks_.back().get());
  }
  void add(Kind kind, clang::SourceLocation at, std::string message) {
    findings_.add(kind, *sources_, at, std::move(message));
  }

  void heap(MatchFinder& finder) {
    match(finder, cxxNewExpr().bind("new"), [this](auto& r) {
      const auto* e = r.Nodes.template getNodeAs<clang::CXXNewExpr>("new");
      if (e->getNumPlacementArgs() == 0)
        add(Kind::lint_heap, e->getBeginLoc(), "'new' takes memory from the heap");
    });
    match(finder, cxxDeleteExpr().bind("delete"), [this](auto& r) {
      add(Kind::lint_heap, r.Nodes.template getNodeAs<clang::Expr>("delete")->getBeginLoc(),
          "'delete' gives memory back to the heap");
    });
  }

  void variables(MatchFinder& finder) {
    match(finder, varDecl(hasGlobalStorage()).bind("variable"), [this](auto& r) {
      const auto* v = r.Nodes.template getNodeAs<clang::VarDecl>("variable");
      if (v->isConstexpr() || v->getType().isConstant(v->getASTContext())) return;
      if (v->isStaticLocal())
        add(Kind::lint_static_local, v->getLocation(),
            "'" + v->getNameAsString() + "' keeps its value from call to call");
      else
        add(Kind::lint_mutable_global, v->getLocation(),
            "'" + v->getNameAsString() + "' is a global that can be written");
    });
    match(finder, namedDecl().bind("name"), [this](auto& r) {
      const auto* d = r.Nodes.template getNodeAs<clang::NamedDecl>("name");
      if (d->getIdentifier() && findings_.inside(*sources_, d->getLocation()))
        declared_.insert(d->getName().str());
    });
  }

  void calls(MatchFinder& finder) {
    match(finder, callExpr(callee(functionDecl().bind("callee"))).bind("call"), [this](auto& r) {
      const auto* f = r.Nodes.template getNodeAs<FunctionDecl>("callee");
      const auto* call = r.Nodes.template getNodeAs<clang::CallExpr>("call");
      if (!f->getIdentifier() || findings_.inside(*sources_, f->getLocation())) return;
      const std::string name = f->getName().str();
      if (heap_functions.count(name))
        add(Kind::lint_heap, call->getBeginLoc(), "'" + name + "' takes memory from the heap");
      else if (!contains(promises_.calls, name))
        add(Kind::lint_call, call->getBeginLoc(),
            "'" + name + "' is not among the functions that the manifest lists");
    });
  }

  void functions(MatchFinder& finder) {
    match(finder, functionDecl(isDefinition(), unless(isImplicit())).bind("function"),
          [this](auto& r) {
            const auto* f = r.Nodes.template getNodeAs<FunctionDecl>("function");
            if (!findings_.inside(*sources_, f->getLocation()) || !f->getBody()) return;
            const unsigned lines = sources_->getExpansionLineNumber(f->getEndLoc()) -
                                   sources_->getExpansionLineNumber(f->getBeginLoc()) + 1;
            if (lines > static_cast<unsigned>(options_.longest_function))
              add(Kind::lint_long_function, f->getLocation(),
                  "'" + f->getNameAsString() + "' has " + std::to_string(lines) +
                      " lines, more than " + std::to_string(options_.longest_function));
            for (const clang::ParmVarDecl* p : f->parameters()) parameter(*f, *p);
          });
  }

  void parameter(const FunctionDecl& f, const clang::ParmVarDecl& p) {
    const clang::QualType type = p.getType();
    const clang::QualType to = type->getPointeeType();
    if (to.isNull() || to.isConstQualified() || to->isFunctionType() || to->isDependentType() ||
        type->isRValueReferenceType())
      return;
    Writes writes(&p);
    writes.TraverseStmt(f.getBody());
    if (writes.only_reads())
      add(Kind::lint_not_const, p.getLocation(),
          "'" + f.getNameAsString() + "' only reads '" + p.getNameAsString() +
              "', which could point to const");
  }

  void recursion(clang::ASTContext& context) {
    clang::CallGraph graph;
    graph.addToCallGraph(context.getTranslationUnitDecl());
    for (auto scc = llvm::scc_begin(&graph); !scc.isAtEnd(); ++scc) {
      if (!scc.hasCycle()) continue;
      for (const clang::CallGraphNode* node : *scc)
        if (const auto* f = llvm::dyn_cast_or_null<FunctionDecl>(node->getDecl()))
          add(Kind::lint_recursion, f->getLocation(),
              "'" + f->getNameAsString() + "' calls itself");
    }
  }

  const Promises& promises_;
  const LintOptions& options_;
  Findings& findings_;
  std::set<std::string>& declared_;
  const clang::SourceManager* sources_ = nullptr;
  std::vector<std::unique_ptr<Callback>> callbacks_;
};

}  // namespace

std::unique_ptr<clang::ASTConsumer> make_rules(const Promises& promises, const LintOptions& options,
                                               Findings& findings,
                                               std::set<std::string>& declared) {
  return std::make_unique<Rules>(promises, options, findings, declared);
}

}  // namespace espalier::inspect

#endif
