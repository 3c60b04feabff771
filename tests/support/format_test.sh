#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# format_test.sh REPOSITORY: format.sh names a file that is not formatted, formats it, and then names it no more; include
# lines keep their order.
set -euo pipefail

root=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder"/{scripts,lib/base,capi,tools,tests,samples,bindings,bench}
cp "$root/.clang-format" "$folder"
cp "$root/scripts/format.sh" "$folder/scripts"
file=$folder/lib/base/a.cpp
printf '#include <windows.h>\n#include <fcntl.h>\n#include <algorithm>\n\nint  f( int a ){return a;}\n' > "$file"

fail() { echo "$1"; exit 1; }
status=0
out=$("$folder/scripts/format.sh" --check) || status=$?
[ "$status" != 77 ] || { echo "$out"; exit 77; }
[ "$status" = 1 ] && grep -q '^lib/base/a.cpp: not formatted' <<< "$out" || fail "expected a fault in a.cpp: $status $out"
"$folder/scripts/format.sh"
"$folder/scripts/format.sh" --check > /dev/null || fail "expected no fault after formatting"
printf '#include <windows.h>\n#include <fcntl.h>\n#include <algorithm>\n\nint f(int a) { return a; }\n' |
    cmp - "$file" || fail "expected the usual style: $(cat "$file")"
