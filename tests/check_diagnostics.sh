#!/bin/sh
# check_diagnostics.sh ROOT: fails unless each row of diagnostics.def has an id of its own, is
# reported somewhere in src/ and is named, by its id or its Kind, in a test.
root=$1
table=$root/src/base/diagnostics.def
rows=$(sed -n 's/^DIAGNOSTIC("\(E[0-9]*\)", \([a-z0-9_]*\),.*/\1 \2/p' "$table")
status=0
for id in $(echo "$rows" | cut -d' ' -f1 | sort | uniq -d); do
  echo "$id stands twice in diagnostics.def"
  status=1
done
sources=$(find "$root/src" -name '*.cc' -o -name '*.h')
tests=$(find "$root/tests" \( -name '*.cc' -o -name '*.h' -o -name '*.expected' \) \
  ! -path '*/fuzz/*' ! -path '*/unit/base/*')
used=$(cat $sources | grep -oE 'Kind::[a-z0-9_]+' | sort -u)
tested=$(cat $tests | grep -aoE 'Kind::[a-z0-9_]+|E[0-9]{3}' | sort -u)
echo "$rows" | {
  while read -r id name; do
    echo "$used" | grep -qx "Kind::$name" || { echo "$id $name is never reported"; status=1; }
    echo "$tested" | grep -qxE "Kind::$name|$id" || { echo "$id $name has no test"; status=1; }
  done
  exit $status
}
