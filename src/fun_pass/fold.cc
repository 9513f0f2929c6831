#include "fun_pass/fold.h"

#include "fun_pass/partial_evaluate.h"

namespace espalier::fun_pass {

void fold(fun::Module& module) { partial_evaluate(module, true); }

}  // namespace espalier::fun_pass
