#include "driver/options.h"

#include <CLI/CLI.hpp>

#include "base/kinds.h"
#include "base/version.h"
#include "driver/verbs.h"

namespace espalier::driver {
namespace {

void add_model(CLI::App* app, Options* o) {
  app->add_option("MODEL", o->model, "model.json, or IR text (.fun, .wave, .loop) to go on from")
      ->required();
  app->add_option("--weights-dir", o->weights_dir,
                  "folder of the weight files (default: the model's own)")
      ->type_name("DIR");
}

void add_pipeline(CLI::App* app, Options* o) {
  app->add_option("--disable", o->disable, "leave out a pass (again for more)")
      ->type_name("PASS")
      ->expected(1)
      ->take_all();
  app->add_option("--print-after", o->print_after, "print the program after a pass, to stderr")
      ->type_name("PASS")
      ->expected(1)
      ->take_all();
  app->add_option("--stop-after", o->stop_after, "end after a pass")->type_name("PASS");
  app->add_flag("--time-passes", o->time_passes, "print the time of each pass, to stderr");
}

void add_emission(CLI::App* app, Options* o) {
  app->add_option("--target", o->target, "target by name; only 'generic' so far")
      ->type_name("NAME")
      ->capture_default_str();
  app->add_option("--schedule", o->schedule, "schedule that overrides the default (not yet)")
      ->type_name("FILE");
}

void add_input(CLI::App* app, Options* o) {
  app->add_option("--input", o->input, "nodes and arguments as JSON, or bracketed trees (.txt)")
      ->type_name("FILE");
  app->add_option("--weights", o->weights,
                  "weight file (again for more; default: those that the model names)")
      ->type_name("FILE")
      ->expected(1)
      ->take_all();
  app->add_option("--entry", o->entries,
                  "entry to run (again for more; default: all whose arguments the input has)")
      ->type_name("NAME")
      ->expected(1)
      ->take_all();
  app->add_option("--columns", o->columns, "column of the input = payload field (again for more)")
      ->type_name("COLUMN=FIELD")
      ->check(CLI::Validator(
          [](const std::string& v) {
            return v.find('=') == std::string::npos ? "'" + v + "' is not COLUMN=FIELD" : "";
          },
          ""))
      ->expected(1)
      ->take_all();
  app->add_option(
         "--vocab", o->vocab,
         "vocabulary of bracketed trees, a word a line; the first stands for unknown words")
      ->type_name("FILE");
  app->add_flag("--lower-case", o->lower_case, "look words of bracketed trees up in lower case");
  app->add_option("--threads", o->threads, "threads of emitted code")
      ->type_name("N")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
}

void add_options_of(const Verb& verb, CLI::App* app, Options* o) {
  for (const OptionGroup group : verb.groups) switch (group) {
      case OptionGroup::model: add_model(app, o); break;
      case OptionGroup::pipeline: add_pipeline(app, o); break;
      case OptionGroup::emission: add_emission(app, o); break;
      case OptionGroup::input: add_input(app, o); break;
      case OptionGroup::package:
        app->add_option("-o,--out", o->output, "folder to write")->type_name("DIR")->required();
        app->add_flag("--no-weights", o->no_weights, "leave the weights out of the package");
        app->add_flag("--no-check", o->no_check, "leave the check program out of the package");
        app->add_flag("--force", o->force, "overwrite files that were edited by hand");
        break;
      case OptionGroup::expand:
        app->add_flag("--expand", o->expand, "print the model in its structured form");
        break;
      case OptionGroup::stage:
        app->add_option("--stage", o->stage, "fun, wave, loop, or a pass (default: the last)")
            ->type_name("NAME");
        break;
      case OptionGroup::results:
        app->add_flag("--emitted", o->emitted, "run the emitted code instead of the evaluator");
        app->add_option("--output", o->output_file, "write tensors instead of JSON")
            ->type_name("FILE.safetensors");
        break;
      case OptionGroup::folder:
        app->add_option("DIR", o->model, "folder of an emitted package")->required();
        break;
      case OptionGroup::schema:
        app->add_option("--of", o->schema, "model; schedule and target (not yet)")
            ->check(CLI::IsMember({"model", "schedule", "target"}))
            ->capture_default_str();
        break;
    }
}

CLI::App* add_verb(const Verb& verb, CLI::App* app, Options* o) {
  CLI::App* sub = app->add_subcommand(std::string(verb.name), std::string(verb.purpose));
  add_options_of(verb, sub, o);
  sub->add_option("--diagnostics", o->diagnostics, "form of messages on stderr")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  sub->footer("examples:\n" + std::string(verb.examples));
  return sub;
}

// The option of the verb at work that the user may have meant.
std::string suggestion(const CLI::App& app, const std::string& wanted) {
  std::vector<std::string> known;
  for (const CLI::App* sub : app.get_subcommands())
    for (const CLI::Option* option : sub->get_options())
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  return did_you_mean(wanted, known);
}

void report(const CLI::ParseError& e, const CLI::App& app, const std::vector<std::string>& words,
            Diagnostics& diagnostics) {
  const auto error = [&](Kind kind, const std::string& text) { diagnostics.error(kind, {}, text); };
  if (words.empty()) return error(Kind::missing_verb, "a verb is missing; see 'espalier --help'");
  const std::vector<std::string> verbs = verb_names();
  if (words[0][0] != '-' && std::find(verbs.begin(), verbs.end(), words[0]) == verbs.end()) {
    const std::string near = nearest(words[0], verbs);
    return error(Kind::unknown_verb,
                 "there is no verb '" + words[0] + "'" +
                     (near.empty() ? "; see 'espalier --help'" : "; did you mean '" + near + "'?"));
  }
  const std::vector<std::string> extra = app.remaining(true);
  const auto dashed = [](const std::string& word) { return word.size() > 1 && word[0] == '-'; };
  const auto wrong = std::find_if(extra.begin(), extra.end(), dashed);
  if (wrong != extra.end() || dynamic_cast<const CLI::ExtrasError*>(&e) != nullptr) {
    const std::string& word = wrong != extra.end() ? *wrong : extra.back();
    return error(Kind::unknown_option, "'" + word + "' is no option of '" + words[0] + "'" +
                                           suggestion(app, word.substr(0, word.find('='))));
  }
  if (dynamic_cast<const CLI::RequiredError*>(&e) != nullptr)
    return error(Kind::missing_option, "'" + words[0] + "' needs an argument: " + e.what());
  std::string text = e.what();  // "--threads: Value 0 not in range 1 to 1024"
  const std::size_t sentence = text.find(": ");
  if (sentence != std::string::npos && sentence + 2 < text.size())
    text[sentence + 2] = static_cast<char>(std::tolower(text[sentence + 2]));
  error(Kind::bad_option_value, text);
}

}  // namespace

Parsed parse(int argc, const char* const* argv, Options* options, std::string* text,
             Diagnostics& diagnostics) {
  CLI::App app("Compiles JSON models of recursive neural networks to readable C++.", "espalier");
  app.require_subcommand(1);
  app.set_version_flag("--version", "espalier " + std::string(version()));
  app.footer("'espalier VERB --help' says more, with examples.");
  std::map<std::string, CLI::App*> subs;
  for (const Verb& verb : verbs()) subs[std::string(verb.name)] = add_verb(verb, &app, options);

  const std::vector<std::string> words(argv + 1, argv + argc);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    *text = chosen.empty() ? app.help() : chosen[0]->help(std::string("espalier"));
    return Parsed::help;
  } catch (const CLI::CallForVersion& e) {
    *text = std::string(e.what()) + "\n";
    return Parsed::help;
  } catch (const CLI::ParseError& e) {
    report(e, app, words, diagnostics);
    return Parsed::failed;
  }
  options->verb = app.get_subcommands()[0]->get_name();
  return Parsed::run;
}

}  // namespace espalier::driver
