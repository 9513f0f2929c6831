#!/bin/sh
# skipped.sh LOG: how many tests of ctest's log said that they were skipped, and why.
log=$1
count=$(grep -c '^SKIPPED: ' "$log")
echo "$count skipped"
grep '^SKIPPED: ' "$log" | sed 's/^SKIPPED: //' | sort | uniq -c
exit 0
