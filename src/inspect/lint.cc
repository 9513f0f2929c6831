#include "inspect/lint.h"

#include "base/bug.h"
#include "base/kinds.h"

#ifndef ESPALIER_HAS_CLANG

namespace espalier::inspect {

bool lint_available() { return false; }

void lint(const std::string&, const std::vector<std::string>&, const Promises&, const LintOptions&,
          Sources&, Diagnostics&) {
  throw Bug("lint without Clang");
}

}  // namespace espalier::inspect

#else

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Tooling/CompilationDatabase.h>
#include <clang/Tooling/Tooling.h>

#include <algorithm>
#include <memory>
#include <set>

#include "inspect/findings.h"
#include "inspect/rules.h"

namespace espalier::inspect {

namespace {

// Clang's own complaints become findings.
class ParseErrors : public clang::DiagnosticConsumer {
 public:
  explicit ParseErrors(Findings& findings) : findings_(findings) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic& d) override {
    clang::DiagnosticConsumer::HandleDiagnostic(level, d);
    if (level < clang::DiagnosticsEngine::Error || !d.hasSourceManager()) return;
    llvm::SmallString<128> text;
    d.FormatDiagnostic(text);
    findings_.add_anywhere(Kind::lint_parse, d.getSourceManager(), d.getLocation(),
                           "clang cannot parse this: " + std::string(text));
  }

 private:
  Findings& findings_;
};

class Includes : public clang::PPCallbacks {
 public:
  Includes(const clang::SourceManager& sources, const Promises& promises, Findings& findings)
      : sources_(sources), promises_(promises), findings_(findings) {}

  void InclusionDirective(clang::SourceLocation at, const clang::Token&, llvm::StringRef name,
                          bool angled, clang::CharSourceRange, const clang::FileEntry*,
                          llvm::StringRef, llvm::StringRef, const clang::Module*,
                          clang::SrcMgr::CharacteristicKind) override {
    if (!angled || !findings_.inside(sources_, at)) return;
    const auto& allowed = promises_.includes;
    if (std::find(allowed.begin(), allowed.end(), name.str()) == allowed.end())
      findings_.add(Kind::lint_include, sources_, at,
                    "<" + name.str() + "> is not among the headers that the manifest lists");
  }

 private:
  const clang::SourceManager& sources_;
  const Promises& promises_;
  Findings& findings_;
};

class Action : public clang::ASTFrontendAction {
 public:
  Action(const Promises& promises, const LintOptions& options, Findings& findings,
         std::set<std::string>& declared)
      : promises_(promises), options_(options), findings_(findings), declared_(declared) {}

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef) override {
    compiler.getPreprocessor().addPPCallbacks(
        std::make_unique<Includes>(compiler.getSourceManager(), promises_, findings_));
    return make_rules(promises_, options_, findings_, declared_);
  }

 private:
  const Promises& promises_;
  const LintOptions& options_;
  Findings& findings_;
  std::set<std::string>& declared_;
};

class Factory : public clang::tooling::FrontendActionFactory {
 public:
  explicit Factory(std::function<std::unique_ptr<clang::FrontendAction>()> make)
      : make_(std::move(make)) {}
  std::unique_ptr<clang::FrontendAction> create() override { return make_(); }

 private:
  std::function<std::unique_ptr<clang::FrontendAction>()> make_;
};

}  // namespace

bool lint_available() { return true; }

void lint(const std::string& folder, const std::vector<std::string>& files,
          const Promises& promises, const LintOptions& options, Sources& sources,
          Diagnostics& diagnostics) {
  Findings findings(folder, sources);
  std::set<std::string> declared;
  std::vector<std::string> arguments = options.arguments;
  // Without carets clang does not count its errors on standard error either.
  arguments.insert(arguments.end(), {"-fsyntax-only", "-fno-caret-diagnostics", "-resource-dir",
                                     ESPALIER_CLANG_RESOURCES});
  const clang::tooling::FixedCompilationDatabase database(folder, arguments);
  clang::tooling::ClangTool tool(database, files);
  tool.setPrintErrorMessage(false);
  ParseErrors errors(findings);
  tool.setDiagnosticConsumer(&errors);
  Factory factory([&] { return std::make_unique<Action>(promises, options, findings, declared); });
  tool.run(&factory);
  for (const std::string& name : promises.names)
    if (!declared.count(name))
      findings.add_nowhere(Kind::lint_missing_name,
                           "'" + name +
                               "' stands in the manifest's table of names and nowhere in "
                               "the source");
  findings.report(diagnostics);
}

}  // namespace espalier::inspect

#endif
