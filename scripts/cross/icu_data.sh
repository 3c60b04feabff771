#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# icu_data.sh icudt72l.dat FOLDER: FOLDER/data.c with what the library uses of ICU's data: the rules and dictionaries that
# find words. Properties of characters, cases and normal forms are in its code.
set -euo pipefail
all=$1 folder=$2
mkdir -p "$folder/parts"
PATH=$PATH:/usr/sbin
printf '%s\n' icuver.res brkitr/{root.res,res_index.res,word.brk,cjdict.dict,thaidict.dict,laodict.dict,khmerdict.dict,burmesedict.dict} \
    > "$folder/parts.txt"
icupkg -d "$folder/parts" -x "$folder/parts.txt" "$all"
icupkg -s "$folder/parts" -a "$folder/parts.txt" new "$folder/icudt72l.dat"
(cd "$folder" && genccode --entrypoint icudt72 --name icudt72_dat icudt72l.dat)
mv "$folder/icudt72l_dat.c" "$folder/data.c"
