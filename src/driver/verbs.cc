#include "driver/verbs.h"

#include "base/kinds.h"

namespace espalier::driver {
namespace {

// A verb whose work has not begun is refused, and says so.
bool not_available(Session& session) {
  session.diagnostics.error(Kind::not_available, {},
                            "'" + session.options.verb + "' is not available in this version");
  return false;
}

}  // namespace

const std::vector<Verb>& verbs() {
  using G = OptionGroup;
  static const std::vector<Verb> table = {
      {"compile",
       "Emit a package of C++ source",
       "  espalier compile examples/treernn/model.json -o out\n"
       "  espalier compile model.json -o out --weights-dir ../data\n",
       {G::model, G::package, G::emission, G::pipeline},
       compile},
      {"check",
       "Check a model, or print its structured form",
       "  espalier check model.json\n"
       "  espalier check --expand model.json > structured.json\n",
       {G::model, G::expand},
       check},
      {"run",
       "Evaluate entries on trees, DAGs or lists",
       "  espalier run model.json --input forest.json\n"
       "  espalier run model.json --input inputs.json --columns words=word --entry encode\n"
       "  espalier run model.json --input trees.txt --vocab vocab.txt --emitted --threads 2\n"
       "an input is one JSON object:\n"
       "  {\"nodes\": [{\"left\": 1, \"right\": 2}, {\"word\": 3}, {\"word\": 5}], \"roots\": "
       "[0]}\n"
       "  {\"args\": {\"words\": [[3, 1, 4], [2]]}}     an entry on a list, called twice\n"
       "examples/README.md says more of inputs.\n",
       {G::model, G::input, G::results, G::emission, G::pipeline},
       run},
      {"print",
       "Print the program at a stage, as text that can be read back",
       "  espalier print model.json --stage wave\n"
       "  espalier print program.wave --stage loop\n",
       {G::model, G::stage, G::emission, G::pipeline},
       print},
      {"explain",
       "Say what each kernel does, what it costs and what was fused into it",
       "  espalier explain model.json\n",
       {G::model, G::emission, G::pipeline},
       explain},
      {"verify",
       "Emit, compile and run the package, and compare it with the evaluator",
       "  espalier verify model.json\n"
       "  espalier verify model.json --input forest.json --threads 8\n"
       "  CXX=s390x-linux-gnu-g++ LDFLAGS=-static RUN=qemu-s390x espalier verify model.json\n",
       {G::model, G::input, G::emission, G::pipeline},
       verify},
      {"schema",
       "Print the JSON Schema of models",
       "  espalier schema > model.schema.json\n",
       {G::schema},
       schema},
      {"bench",
       "Measure the emitted code (not available yet)",
       "  espalier bench model.json --input forest.json\n",
       {G::model, G::input, G::emission, G::pipeline},
       not_available},
      {"tune",
       "Search for a faster schedule (not available yet)",
       "  espalier tune model.json --input forest.json\n",
       {G::model, G::input, G::emission, G::pipeline},
       not_available},
      {"lint",
       "Check emitted or edited source against the rules of the package",
       "  espalier lint out\n",
       {G::folder},
       lint},
  };
  return table;
}

std::vector<std::string> verb_names() {
  std::vector<std::string> names;
  for (const Verb& verb : verbs()) names.emplace_back(verb.name);
  return names;
}

}  // namespace espalier::driver
