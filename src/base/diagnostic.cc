#include "base/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/kinds.h"

namespace espalier {

namespace {

struct KindRow {
  std::string_view id, name;
};

constexpr KindRow kind_rows[] = {
#define DIAGNOSTIC(id, name, text) {id, #name},
#include "base/diagnostics.def"
#undef DIAGNOSTIC
};

// "unknown-name" for unknown_name, once for each kind.
std::vector<std::string> dashed_names() {
  std::vector<std::string> names;
  for (const KindRow& row : kind_rows) {
    names.emplace_back(row.name);
    std::replace(names.back().begin(), names.back().end(), '_', '-');
  }
  return names;
}

constexpr std::string_view bold = "\033[1m", red = "\033[1;31m", cyan = "\033[1;36m",
                           green = "\033[1;32m", plain = "\033[0m";

struct Paint {
  bool colour;
  std::string operator()(std::string_view style, std::string_view text) const {
    return colour ? fmt::format("{}{}{}", style, text, plain) : std::string(text);
  }
};

// Control characters of the user's text would move the caret or the terminal; tabs stay.
std::string visible(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\t') || byte == 0x7f)
      out += '?';
    else
      out += c;
  }
  return out;
}

bool continues_utf8(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// The stretch of a long line that is shown, as [first, last) bytes of it.
std::pair<std::size_t, std::size_t> window(std::string_view line, std::size_t start) {
  constexpr std::size_t widest = 160, before = 60;
  if (line.size() <= widest) return {0, line.size()};
  std::size_t first = start > before ? start - before : 0;
  while (first > 0 && continues_utf8(line[first])) --first;
  std::size_t last = std::min(line.size(), first + widest);
  while (last < line.size() && continues_utf8(line[last])) ++last;
  return {first, last};
}

// The line, and below it a caret and tildes under the bytes of `loc`.
std::string excerpt(const Loc& loc, const Sources& sources, Paint paint) {
  const std::string_view line = sources.line_text(loc);
  const auto start =
      std::min(static_cast<std::size_t>(sources.line_column(loc).column - 1), line.size());
  const auto [first, last] = window(line, start);
  std::string shown(line.substr(first, last - first)), below;
  const std::string_view lead = first > 0 ? "..." : "", trail = last < line.size() ? "..." : "";
  below.append(lead.size(), ' ');
  for (std::size_t i = first; i < start; ++i)
    if (line[i] == '\t' || !continues_utf8(line[i])) below += line[i] == '\t' ? '\t' : ' ';
  std::string mark = "^";
  const std::size_t end = std::min<std::size_t>(start + std::max(loc.length, 1u), last);
  for (std::size_t i = start + 1; i < end; ++i)
    if (!continues_utf8(line[i])) mark += '~';
  return fmt::format("  {}{}{}\n  {}{}\n", lead, visible(shown), trail, below, paint(green, mark));
}

std::string place(const Loc& loc, const Sources& sources) {
  if (loc.file < 0) return "espalier: ";
  const LineColumn at = sources.line_column(loc);
  return fmt::format("{}:{}:{}: ", sources.name(loc.file), at.line, at.column);
}

void append_excerpt(std::string* out, const Loc& loc, const Sources& sources, Paint paint) {
  if (loc.file >= 0 && !sources.line_text(loc).empty()) *out += excerpt(loc, sources, paint);
  if (loc.pointer >= 0) *out += fmt::format("  at {}\n", visible(sources.pointer(loc.pointer)));
}

// Length of the well-formed UTF-8 sequence at the start of `text`, 0 if there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if (!continues_utf8(text[i])) return 0;
  if ((lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xed && byte(1) > 0x9f) ||
      (lead == 0xf0 && byte(1) < 0x90) || (lead == 0xf4 && byte(1) > 0x8f))
    return 0;
  return length;
}

std::string json_string(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const char c = text[0];
    std::size_t length = utf8_length(text);
    if (length == 0) {
      out += "\\ufffd";
      length = 1;
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return out + '"';
}

// "file", "line", "column", "pointer", "message", which diagnostics and notes have in common.
std::string json_members(const Loc& loc, std::string_view message, const Sources& sources) {
  const LineColumn at = sources.line_column(loc);
  return fmt::format(
      R"("file":{},"line":{},"column":{},"pointer":{},"message":{})",
      json_string(loc.file < 0 ? "" : std::string_view(sources.name(loc.file))), at.line, at.column,
      json_string(loc.pointer < 0 ? "" : std::string_view(sources.pointer(loc.pointer))),
      json_string(message));
}

// What it costs to turn `a` into `b`: 4 for a character too many, too few or wrong, 3 for two that
// are swapped, 2 for a letter of the wrong case.
std::size_t edit_cost(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  const auto differ = [&](char x, char y) -> std::size_t {
    return x == y ? 0 : lower(x) == lower(y) ? 2 : 4;
  };
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = 4 * j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = 4 * i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 4, row[j - 1] + 4, above[j - 1] + differ(a[i - 1], b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 3);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

}  // namespace

std::string_view kind_id(Kind kind) { return kind_rows[static_cast<std::size_t>(kind)].id; }

std::string_view kind_name(Kind kind) {
  static const std::vector<std::string> names = dashed_names();
  return names[static_cast<std::size_t>(kind)];
}

Diagnostic& Diagnostics::error(Kind kind, Loc loc, std::string message) {
  const auto repeated = [&](const Diagnostic& d) {
    return d.kind == kind && d.loc.file == loc.file && d.loc.offset == loc.offset &&
           d.loc.pointer == loc.pointer && (loc.file >= 0 || d.message == message);
  };
  if (std::any_of(all_.begin(), all_.end(), repeated)) {
    dropped_ = Diagnostic{kind, loc, std::move(message), {}};
    return dropped_;
  }
  all_.push_back(Diagnostic{kind, loc, std::move(message), {}});
  return all_.back();
}

std::string format(const Diagnostic& diagnostic, const Sources& sources, bool colour) {
  const Paint paint{colour};
  std::string out = paint(bold, place(diagnostic.loc, sources)) + paint(red, "error: ") +
                    paint(bold, visible(diagnostic.message)) +
                    fmt::format(" [{} {}]\n", kind_id(diagnostic.kind), kind_name(diagnostic.kind));
  append_excerpt(&out, diagnostic.loc, sources, paint);
  for (const Note& note : diagnostic.notes) {
    out += paint(bold, place(note.loc, sources)) + paint(cyan, "note: ") + visible(note.message) +
           '\n';
    append_excerpt(&out, note.loc, sources, paint);
  }
  return out;
}

std::string format_json(const Diagnostic& diagnostic, const Sources& sources) {
  std::string notes;
  for (const Note& note : diagnostic.notes) {
    if (!notes.empty()) notes += ',';
    notes += '{' + json_members(note.loc, note.message, sources) + '}';
  }
  return fmt::format("{{\"id\":\"{}\",\"name\":\"{}\",{},\"notes\":[{}]}}\n",
                     kind_id(diagnostic.kind), kind_name(diagnostic.kind),
                     json_members(diagnostic.loc, diagnostic.message, sources), notes);
}

std::string nearest(std::string_view name, const std::vector<std::string>& known) {
  // One slip in a short name, one in three letters of a longer one; never all of its letters, but
  // for their case.
  const std::size_t slips =
      std::min(std::max<std::size_t>(name.size() / 3, 1), name.size() - (name.empty() ? 0 : 1));
  const std::string* best = nullptr;
  std::size_t best_cost = std::max<std::size_t>(4 * std::min<std::size_t>(slips, 3), 2) + 1;
  for (const std::string& candidate : known) {
    if (candidate == name) continue;
    const std::size_t longer = std::max(candidate.size(), name.size()),
                      shorter = std::min(candidate.size(), name.size());
    if (4 * (longer - shorter) >= best_cost) continue;
    const std::size_t cost = edit_cost(name, candidate);
    if (cost < best_cost) {
      best = &candidate;
      best_cost = cost;
    }
  }
  return best ? *best : "";
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known) {
  const std::string near = nearest(name, known);
  return near.empty() ? "" : fmt::format("; did you mean '{}'?", near);
}

}  // namespace espalier
