#!/bin/sh
# Emits the example Tree-LSTM, compiles it with the system's compiler, and runs it on bracketed trees.
# Trained weights and real sentences are used where the shared data is at hand (ESPALIER_SHARED).
set -eu
cd "$(dirname "$0")/../.."
shared=${ESPALIER_SHARED:-../shared}
trained=$shared/data/models/tree/sst_treelstm
out=build/demo/sst_treelstm

if [ -f "$trained/weights.safetensors" ] && [ -f "$shared/data/trees/sst/test.txt" ]; then
  model=examples/sst_treelstm/model.json
  weights=$trained
  trees=build/demo/trees.txt
  mkdir -p build/demo
  head -n 40 "$shared/data/trees/sst/test.txt" >$trees
  echo "model: $model, with trained weights; sentences of the Stanford Sentiment Treebank"
else
  model=examples/demo/model.json
  weights=examples/demo
  trees=examples/demo/trees.txt
  echo "model: $model; its weights are random, so the answers show that it runs, not what it learned"
fi

rm -rf $out
echo "emitting C++ to $out"
build/espalier compile $model --weights-dir "$weights" -o $out --no-check
compiler=${CXX:-$(command -v clang++ || command -v g++)}
echo "compiling it with $compiler"
make -s -C $out -f Makefile.gen CXX="$compiler" ARCH="${ARCH:-native}" MAIN="$PWD/examples/demo/demo.cpp"
$out/build/demo "$weights/weights.safetensors" "$weights/vocab.txt" 3 <"$trees"  # draws 3 of them
echo "the emitted source lies in $out"
