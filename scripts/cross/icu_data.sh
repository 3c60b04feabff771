#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# icu_data.sh icudt72l.dat FOLDER: FOLDER/data.c with what the library uses of ICU's data: the rules and dictionaries that
# find words. Properties of characters, cases and normal forms are in its code.
set -euo pipefail
all=$1 folder=$2
mkdir -p "$folder/parts"
PATH=$PATH:/usr/sbin
{ icupkg -l "$all" | grep -E '^brkitr/(root|res_index)\.res$|^brkitr/(char|line|sent|title|word)[a-z_]*\.brk$|^brkitr/[a-z]*\.dict$'
  echo icuver.res; } > "$folder/parts.txt"
icupkg -d "$folder/parts" -x "$folder/parts.txt" "$all"
icupkg -s "$folder/parts" -a "$folder/parts.txt" new "$folder/icudt72.dat"  # its name becomes the symbol
(cd "$folder" && genccode icudt72.dat)
# Plain C, without ICU's headers.
{ echo '#include <stdint.h>'; sed -n '/^const struct/,$p' "$folder/icudt72_dat.c" | grep -v '^U_CDECL_END'; } > "$folder/data.c"
