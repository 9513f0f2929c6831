#include "fun_pass/check.h"

#include "fun_pass/checker/checker.h"

namespace espalier::fun_pass {

bool check(fun::Module& module, Diagnostics& diagnostics) {
  return Checker(&module, &diagnostics).run();
}

}  // namespace espalier::fun_pass
