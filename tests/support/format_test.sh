#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# format_test.sh REPOSITORY: format.sh names a file that is not formatted, formats it, and then names it no more; include
# lines keep their order, and loops of shaders the word before them.
set -euo pipefail

root=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder"/{scripts,lib/base,shaders/ops,capi,tools,tests,samples,bindings,bench}
cp "$root/.clang-format" "$folder"
cp "$root/shaders/.clang-format" "$folder/shaders"
cp "$root/scripts/format.sh" "$folder/scripts"
file=$folder/lib/base/a.cpp
printf '#include <windows.h>\n#include <fcntl.h>\n#include <algorithm>\n\nint  f( int a ){return a;}\n' > "$file"
shader=$folder/shaders/ops/a.comp
printf 'layout(binding = 0) buffer Y { float y[]; };\nvoid main() {\n    [[unroll]] for(uint i=0;i<WIDTH*(4);++i)\n' > "$shader"
printf '        [[dont_unroll]] for (uint j = 0; j < 2; ++j) y[i]=1.0;\n}\n' >> "$shader"

fail() { echo "$1"; exit 1; }
status=0
out=$("$folder/scripts/format.sh" --check) || status=$?
[ "$status" != 77 ] || { echo "$out"; exit 77; }
for name in lib/base/a.cpp shaders/ops/a.comp; do
    [ "$status" = 1 ] && grep -q "^$name: not formatted" <<< "$out" || fail "expected a fault in $name: $status $out"
done
"$folder/scripts/format.sh"
"$folder/scripts/format.sh" --check > /dev/null || fail "expected no fault after formatting"
printf '#include <windows.h>\n#include <fcntl.h>\n#include <algorithm>\n\nint f(int a) { return a; }\n' |
    cmp - "$file" || fail "expected the usual style: $(cat "$file")"
printf 'layout(binding = 0) buffer Y { float y[]; };\nvoid main() {\n    [[unroll]] for (uint i = 0; i < WIDTH * (4); ++i)\n' |
    cat - <(printf '        [[dont_unroll]] for (uint j = 0; j < 2; ++j) y[i] = 1.0;\n}\n') | cmp - "$shader" ||
    fail "expected the usual style: $(cat "$shader")"
