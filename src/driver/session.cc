#include "driver/session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <system_error>

#include "base/bug.h"
#include "base/file.h"
#include "base/kinds.h"
#include "driver/verbs.h"

namespace espalier::driver {
namespace {

void put(std::FILE* to, std::string_view text) { std::fwrite(text.data(), 1, text.size(), to); }

void print_diagnostics(const Session& session) {
  for (const Diagnostic& d : session.diagnostics.all())
    put(stderr, session.options.diagnostics == "json"
                    ? format_json(d, session.sources)
                    : format(d, session.sources, session.options.colour));
}

int report_bug(const Session& session, const char* what) {
  put(stderr,
      fmt::format("espalier: a bug of Espalier's own in '{}': {}\n", session.at_work, what));
  if (!session.program.empty())
    put(stderr, fmt::format("the program before it:\n{}", session.program));
  return 2;
}

void flush_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    throw std::system_error(errno, std::generic_category());
}

// Whatever a verb is asked for that does not exist yet is refused, never ignored.
bool refuse_missing(Session& session) {
  const auto refuse = [&](const std::string& what) {
    session.diagnostics.error(Kind::not_available, {}, what);
  };
  if (!session.options.schedule.empty()) refuse("'--schedule' is not available in this version");
  if (session.options.target != "generic")
    refuse("target '" + session.options.target +
           "' is not available in this version; only 'generic' is");
  return session.diagnostics.ok();
}

bool run_verb(Session& session) {
  for (const Verb& verb : verbs())
    if (verb.name == session.options.verb) {
      session.at_work = verb.name;
      return refuse_missing(session) && verb.run(session);
    }
  throw Bug("a verb without a row");
}

// Whether messages are for a person at a terminal (https://no-color.org).
bool colours() {
  const char* off = std::getenv("NO_COLOR");
  return isatty(STDERR_FILENO) == 1 && (off == nullptr || *off == '\0');
}

}  // namespace

void say(const Session& session, const std::string& line) {
  if (session.options.diagnostics != "json") put(stderr, line + "\n");
}

int run(int argc, const char* const* argv) {
  Session session;
  session.options.colour = colours();
  const auto error = [&](Kind kind, const std::string& text) {
    session.diagnostics.error(kind, {}, text);
  };
  std::string text;
  try {
    switch (parse(argc, argv, &session.options, &text, session.diagnostics)) {
      case Parsed::help: put(stdout, text); break;
      case Parsed::failed: break;
      case Parsed::run: {
        const bool done = run_verb(session);
        require(done == session.diagnostics.ok(), "a verb failed without saying why");
      }
    }
    flush_output();
  } catch (const std::filesystem::filesystem_error& e) {
    error(Kind::cannot_write, e.what());
  } catch (const std::system_error& e) {
    error(Kind::cannot_write, "the output cannot be written: " + in_words(e.code()));
  } catch (const std::bad_alloc&) {
    error(Kind::out_of_memory, "there is not enough memory for sizes like these");
  } catch (const std::length_error&) {
    error(Kind::out_of_memory, "no memory is large enough for sizes like these");
  } catch (const std::exception& e) {
    print_diagnostics(session);
    return report_bug(session, e.what());
  }
  print_diagnostics(session);
  return session.diagnostics.ok() ? 0 : 1;
}

}  // namespace espalier::driver
