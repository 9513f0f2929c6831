#!/bin/sh
# check_includes.sh SRC FOLDER:ALLOWED,ALLOWED...: fails if a file of SRC/FOLDER includes from a
# folder that is neither FOLDER nor one of ALLOWED.
src=$1
shift
status=0
for rule in "$@"; do
  folder=${rule%%:*}
  allowed=,$folder,${rule#*:},
  [ -d "$src/$folder" ] || continue
  found=$(grep -rnoE '^ *# *include "[a-z_]+/' "$src/$folder" | sed 's/# *include "//; s|/$||')
  for line in $(echo "$found" | tr -d ' '); do
    case $allowed in
      *",${line##*:},"*) ;;
      *) echo "$line: src/$folder may not include from src/${line##*:}"; status=1 ;;
    esac
  done
done
for path in "$src"/*/; do
  name=$(basename "$path")
  case " $*" in
    *" $name:"*) ;;
    *) echo "src/$name is no folder of CMakeLists.txt"; status=1 ;;
  esac
done
exit $status
