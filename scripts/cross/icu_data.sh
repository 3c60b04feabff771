#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# icu_data.sh icudt72l.dat FOLDER: FOLDER/data.c with what the library uses of ICU's data: the rules and dictionaries that
# find words, compatibility forms and emoji. Other properties of characters, cases and the NFC are in its code.
set -euo pipefail
all=$1 folder=$2
mkdir -p "$folder/parts"
PATH=$PATH:/usr/sbin
{ icupkg -l "$all" | grep -E '^brkitr/[a-zA-Z_]*\.res$|^brkitr/(char|line|sent|title|word)[a-zA-Z_]*\.brk$|^brkitr/[a-z]*\.dict$'
  printf '%s\n' icuver.res nfkc.nrm uemoji.icu ulayout.icu; } > "$folder/parts.txt"
icupkg -d "$folder/parts" -x "$folder/parts.txt" "$all"
icupkg -s "$folder/parts" -a "$folder/parts.txt" new "$folder/icudt72l.dat"  # its name is in every entry
(cd "$folder" && genccode icudt72l.dat)
# Plain C, without ICU's headers; under the name that ICU's code has for it.
{ echo '#include <stdint.h>'; sed -n '/^const struct/,$p' "$folder/icudt72l_dat.c" | grep -v '^U_CDECL_END' |
  sed 's/icudt72l_dat/icudt72_dat/'; } > "$folder/data.c"
