// Constants of every dtype stand in emitted code exactly: infinities, NaN, -0.0, subnormals, the
// largest and the smallest.
#include <cmath>
#include <cstring>
#include <limits>

#include "base/float16.h"
#include "tests/run/examples.h"
#include "tests/run/package.h"

namespace espalier::test {
namespace {

struct Numbers {
  const char* dtype;
  std::string cpp;                  // the element as a result has it
  std::vector<std::string> values;  // as a model writes them
};

const std::vector<Numbers> all_numbers = {
    {"f32",
     "float",
     {"inf", "-inf", "nan", "-0.0", "0", "1e-30", "1.401298464324817e-45",
      "-1.1754942106924411e-38", "3.4028234663852886e38", "0.1", "16777217", "1e-46"}},
    {"f64",
     "double",
     {"inf", "-inf", "nan", "-0.0", "5e-324", "2.2250738585072009e-308", "1.7976931348623157e308",
      "1e-30", "0.1", "9007199254740993"}},
    {"f16",
     "std::uint16_t",
     {"inf", "-inf", "nan", "-0.0", "5.960464477539063e-08", "6.097555160522461e-05", "65504",
      "0.1", "2049", "1e-30"}},
    {"bf16",
     "std::uint16_t",
     {"inf", "-inf", "nan", "-0.0", "9.183549615799121e-41", "3.3895313892515355e38", "0.1", "257",
      "1e-30"}},
    {"i8", "std::int8_t", {"-128", "127", "0", "-1"}},
    {"i32", "std::int32_t", {"-2147483648", "2147483647", "0"}},
    {"i64", "std::int64_t", {"-9007199254740992", "9007199254740991", "0"}},
};

std::string joined(const std::vector<std::string>& values) {
  std::string out;
  for (const std::string& v : values) {
    const bool word =
        v.find_first_of("in") != std::string::npos && v.find('f') != std::string::npos;
    const bool quoted = word || v == "nan";
    out += (out.empty() ? "" : ", ") + (quoted ? "\"" + v + "\"" : v);
  }
  return out;
}

// One model with a constant of each dtype, that entry `number(i)` hands back.
std::string model_text() {
  std::string constants, functions, entries;
  for (const Numbers& n : all_numbers) {
    const std::string comma = constants.empty() ? "" : ",\n", name = n.dtype;
    const std::string type = name + "[" + std::to_string(n.values.size()) + "]";
    constants += comma + "\"k_" + name + "\": {\"type\": \"" + type + "\", \"value\": [" +
                 joined(n.values) + "]}";
    functions += comma + "\"get_" + name + "\": {\"args\": {\"c\": \"i32\"}, \"returns\": \"" +
                 type + "\", \"body\": \"k_" + name + "\"}";
    entries += comma + "\"get_" + name + "\": {}";
  }
  return "{\"espalier\": 1, \"name\": \"numbers\", \"constants\": {" + constants +
         "}, \"functions\": {" + functions + "}, \"entries\": {" + entries + "}}";
}

double parsed(const std::string& v) { return std::strtod(v.c_str(), nullptr); }

// The bits that an element of the result has to have.
std::uint64_t bits(const Numbers& n, const std::string& v) {
  const std::string dtype = n.dtype;
  const double x = parsed(v);
  if (dtype[0] == 'i') return static_cast<std::uint64_t>(std::strtoll(v.c_str(), nullptr, 10));
  if (dtype == "f16") return f16_bits(x);
  if (dtype == "bf16") return bf16_bits(x);
  if (dtype == "f32") {
    const float f = static_cast<float>(x);
    std::uint32_t b;
    std::memcpy(&b, &f, sizeof b);
    return b;
  }
  std::uint64_t b;
  std::memcpy(&b, &x, sizeof b);
  return b;
}

std::string mask_of(const Numbers& n) {
  const std::string dtype = n.dtype;
  return dtype == "i8"                       ? "0xff"
         : dtype == "f16" || dtype == "bf16" ? "0xffff"
         : dtype == "f32" || dtype == "i32"  ? "0xffffffff"
                                             : "0xffffffffffffffff";
}

// A program that calls every entry and looks at the bits; of a NaN, only that it is one.
std::string program_text() {
  std::string out =
      "#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n#include \"numbers.h\"\n"
      "namespace model = numbers;\nalignas(64) static unsigned char space[65536];\n"
      "static int wrong = 0;\n"
      "static void look(const char* what, const void* got, std::size_t size, std::size_t i,\n"
      "                 unsigned long long want, bool nan, unsigned long long most_finite) {\n"
      "  unsigned long long have = 0;\n"
      "  std::memcpy(&have, static_cast<const char*>(got) + i * size, size);\n"
      "  if (nan ? (have & (~0ull >> (65 - 8 * size))) <= most_finite : have != want)\n"
      "    std::printf(\"%s[%d]: %llx, not %llx\\n\", what, static_cast<int>(i), have, want), "
      "wrong = 1;\n}\nint main() {\n  model::Model m;\n"
      "  model::prepare({}, space, &m);\n  static unsigned char work[65536 + 64];\n"
      "  void* w = work + 64 - reinterpret_cast<std::uintptr_t>(work) % 64;\n"
      "  const std::int32_t c[1] = {0};\n  model::Status s;\n";
  for (const Numbers& n : all_numbers) {
    std::string name = n.dtype, camel = "Get";
    camel += static_cast<char>(std::toupper(name[0])) + name.substr(1);
    out += "  " + n.cpp + " r_" + name + "[" + std::to_string(n.values.size()) +
           "] = {};\n  s = model::get_" + name + "(m, {1, c}, {r_" + name +
           "}, w, 65536);\n  if (s.code != model::ok) return 2;\n";
    for (std::size_t i = 0; i < n.values.size(); i++) {
      const bool nan = n.values[i] == "nan";
      const std::uint64_t infinite = name[0] == 'i' ? 0 : bits(n, "inf");
      out += "  look(\"" + name + "\", r_" + name + ", sizeof r_" + name + "[0], " +
             std::to_string(i) + ", " + std::to_string(bits(n, n.values[i])) + "ull & " +
             mask_of(n) + "ull, " + (nan ? "true" : "false") + ", " + std::to_string(infinite) +
             "ull);\n";
    }
  }
  return out + "  return wrong;\n}\n";
}

TEST_CASE("constants of every dtype are exact in emitted code") {
  const TempFolder folder, out;
  driver::Options options;
  options.model = (folder.path() / "model.json").string();
  options.no_check = true;
  REQUIRE(write_file(options.model, model_text()));
  write_files(emitted(options), out.path());
  REQUIRE(write_file(out.path() / "main.cpp", program_text()));
  for (const char* command : {"g++ -std=c++17 -O2", "clang++ -std=c++17 -O2"}) {
    const Finished ran = build_and_run(out.path(), std::string(command) + strict_warnings);
    CHECK_MESSAGE(ran.status == 0, command << ": " << ran.output.substr(0, 3000));
  }
}

TEST_CASE("-ffast-math is refused, or the answers stay") {
  const TempFolder folder;
  write_files(emitted(example_options("treernn")), folder.path());
  const Finished built = run_command("cd " + folder.path().string() +
                                     " && g++ -std=c++17 -O1 -ffast-math -c *_kernels.cpp");
  CHECK(built.status != 0);
  CHECK(built.output.find("#error") != std::string::npos);
}

}  // namespace
}  // namespace espalier::test
