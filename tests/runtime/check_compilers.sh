#!/bin/sh
# check_compilers.sh ROOT headers|portable|tests
# headers:  each runtime header compiles alone, without a warning, with gcc and clang; -ffast-math is
#           refused.
# portable: the same with every compiler and option that packages are promised to build with.
# tests:    the runtime's tests pass with gcc and clang, at -O0 to -O3, on every kind of lanes.
root=$1
strict="-Wall -Wextra -Wpedantic -Wconversion -Wdouble-promotion -Wshadow -Wvla -Werror"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0

found() { command -v "$1" >/dev/null 2>&1; }
fail() { echo "failed: $*"; failed=1; }
runs_on_this() { "$1" -march=native -dM -E -x c++ /dev/null 2>/dev/null | grep -q "$2"; }

alone() {
  for header in arena columns lanes math structure team; do
    echo "#include \"runtime/$header.h\"" > "$scratch/$header.cpp"
    "$@" $strict -fno-exceptions -fno-rtti -I"$root" -fsyntax-only "$scratch/$header.cpp" ||
      fail "$@" $header.h
  done
}

headers() {
  for compiler in g++ clang++; do
    if found $compiler; then alone $compiler -std=c++17; else echo "skipped: no $compiler"; fi
  done
  for option in -ffast-math -Ofast -ffinite-math-only; do
    g++ -std=c++17 $option -I"$root" -fsyntax-only "$scratch/math.cpp" 2>/dev/null &&
      fail $option is not refused
  done
}

portable() {
  for compiler in g++ clang++ aarch64-linux-gnu-g++ s390x-linux-gnu-g++; do
    found $compiler || { echo "skipped: no $compiler"; continue; }
    kinds="-O2 -DESPALIER_PLAIN_LANES -DESPALIER_STD_THREADS"
    case $compiler in
      g++) kinds="$kinds -fopenmp" ;;
    esac
    case $compiler-$(uname -m) in
      g++-x86_64 | clang++-x86_64) kinds="$kinds -mavx -mavx512f" ;;
    esac
    for kind in $kinds; do
      for standard in c++17 c++20; do alone $compiler -std=$standard $kind; done
    done
  done
}

one_build() {
  compiler=$1
  shift
  echo "$compiler $*"
  $compiler -std=c++17 $strict -I"$root" "$@" "$root"/tests/runtime/*.cc -pthread \
    -o "$scratch/tests" && "$scratch/tests" --test-suite-exclude=slow --minimal ||
    fail $compiler "$@"
}

all_tests() {
  for compiler in g++ clang++; do
    found $compiler || { echo "skipped: no $compiler"; continue; }
    for level in -O0 -O1 -O2 -O3; do one_build $compiler $level; done
    one_build $compiler -O2 -DESPALIER_PLAIN_LANES
    one_build $compiler -O3 -march=native
    runs_on_this $compiler __FMA__ && one_build $compiler -O2 -mavx2 -mfma
    one_build $compiler -O1 -fsanitize=address,undefined -fno-sanitize-recover=all
  done
  for machine in aarch64 s390x; do
    if found $machine-linux-gnu-g++ && found qemu-$machine; then
      echo "$machine under qemu"
      $machine-linux-gnu-g++ -std=c++17 $strict -O2 -static -I"$root" \
        "$root"/tests/runtime/*.cc -pthread -o "$scratch/tests" &&
        qemu-$machine "$scratch/tests" --test-suite-exclude=slow --minimal ||
        fail $machine
    else
      echo "skipped: no $machine-linux-gnu-g++ or qemu-$machine"
    fi
  done
}

case $2 in
  headers) headers ;;
  portable) portable ;;
  tests) all_tests ;;
  *) echo "usage: $0 ROOT headers|portable|tests"; exit 2 ;;
esac
exit $failed
