#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# fresh.sh [--again] [--new-roots] [12] [13]: README's two commands on fresh machines. Makes a root of Debian 12 and one of
# Debian 13, clones what is committed into each, runs the two commands there and writes their rows of
# bench/results/fresh.md. Rows of the other system stay.
#
#   --again      also where the table has this commit's rows
#   --new-roots  makes the bases of the roots anew, which are kept otherwise
#
# FRESH: a folder for roots and logs, with 10 GB of room (default: ~/.cache/dragoman/fresh). Needs root's rights, git and
# debootstrap. Exits with 1 if a command failed.
set -euo pipefail
cd "$(dirname "$(dirname "$(readlink -f "$0")")")"

again= new_roots= systems=()
for argument in "$@"; do
    case $argument in
    -h|--help) sed -n '3,/^set/s/^# \{0,1\}//p' "$0"; exit ;;
    --again) again=yes ;;
    --new-roots) new_roots=yes ;;
    12|13) systems+=("$argument") ;;
    *) echo "fresh.sh: expected --again, --new-roots, 12 or 13, got $argument" >&2; exit 2 ;;
    esac
done
[ ${#systems[@]} -gt 0 ] || systems=(12 13)

WORK=${FRESH:-${XDG_CACHE_HOME:-$HOME/.cache}/dragoman/fresh}
export ROOTS=$WORK/roots
table=bench/results/fresh.md
commit=$(git rev-parse HEAD)
declare -A suites=([12]=bookworm [13]=trixie)
mkdir -p "$ROOTS" "$WORK/logs" "$WORK/rows"
. scripts/packaging/roots.sh

# The lines of README's first block: what a user types, without the explanation behind it.
mapfile -t commands < <(sed -n '/^## Two commands/,/^```$/s/ *#.*//p' README.md | grep '^scripts/')
[ ${#commands[@]} = 2 ] || { echo "fresh.sh: README.md has ${#commands[@]} commands under \"Two commands\", expected 2" >&2; exit 1; }

# A machine on which somebody has typed: apt-get install git ca-certificates; git clone ...
machine() { # SYSTEM ROOT
    local clone=$2/root/dragoman
    [ -z "$new_roots" ] || rm -rf "$ROOTS/base-${suites[$1]}" "$ROOTS/base-${suites[$1]}.done"
    fresh_root "${suites[$1]}" "$2" || return 1
    in_root "$2" sh -ec 'apt-get -qq update; apt-get -qq -y install git ca-certificates' > "$WORK/logs/$1-git.log" 2>&1 ||
        { tail -5 "$WORK/logs/$1-git.log" >&2; return 1; }
    git clone --quiet --no-checkout "$(git rev-parse --path-format=absolute --git-common-dir)" "$clone" &&
        git -C "$clone" checkout --quiet --detach "$commit"
}

# Runs one command; what it says goes to a log, its progress also to the terminal.
run_command() { # SYSTEM ROOT NUMBER COMMAND; into `seconds`: wall and CPU. Fails with the command
    local log=$WORK/logs/$1-$3.log took=$WORK/logs/$1-$3.seconds code=0
    echo "== Debian $1: $4"
    { TIMEFORMAT='%R %U %S'
      time in_root "$2" bash -c "cd /root/dragoman && $4; exit \$?" > >(tee "$log" | grep --line-buffered -E "$progress") 2>&1
    } 2> "$took" || code=$?
    wait $! || true  # for the log's end
    seconds=$(awk '{ printf "%.0f | %.0f", $1, $2 + $3 }' "$took")
    return $code
}
progress='^==|^   step|^[0-9]+% tests passed|\*\*\*|^FAILED'

# "391 | 0": how many steps the build had, and how many warnings.
steps_of() { # ROOT
    local log=$1/root/dragoman/build/release/build.log
    awk 'match($0, /^\[[0-9]+\/[0-9]+\]/) { split(substr($0, 2, RLENGTH - 2), step, "/"); steps = step[2] }
         /warning:/ { ++warnings }
         END { printf "%d | %d", steps, warnings }' "$log"
}

# "500 | 2 | 1 | a, b (skipped), c": how many tests passed, failed and did not run, and which of them.
tests_of() { # LOG
    awk '/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: / {
             name = $0; sub(/^.*Test +#[0-9]+: /, "", name); sub(/ .*/, "", name)
             if (/ Passed +[0-9]/) ++passed
             else if (/\*\*\*(Skipped|Not Run)/) { ++left; names = names ", " name " (not run)" }
             else { ++failed; names = names ", " name }
         }
         END { printf "%d | %d | %d | %s", passed, failed, left, substr(names, 3) }' "$1"
}

try_system() { # SYSTEM; its rows
    local root=$ROOTS/machine-$1 number=0 command compiler seconds rows= code=0 tests
    echo "== Debian $1: a fresh root"
    machine "$1" "$root" || return 1
    for command in "${commands[@]}"; do
        number=$((number + 1)) tests=' | | | '
        run_command "$1" "$root" $number "$command" || code=$?
        [ $number = 1 ] || tests=$(tests_of "$WORK/logs/$1-$number.log")
        [ $code = 0 ] || tests="$tests (exit code $code)"
        compiler=$(in_root "$root" g++ -dumpfullversion) || compiler=none
        rows+="| Debian $1 | $(date +%F) | ${commit:0:10} | g++ $compiler | \`$command\` | $seconds | $(steps_of "$root") | $tests |"$'\n'
        [ $code = 0 ] || break
    done
    printf %s "$rows" > "$WORK/rows/$1"
    [ $code != 0 ] || rm -rf --one-file-system "$root"
    return $code
}

# The table with the new rows, and the old ones of systems that were not run.
write_table() {
    local system old
    old=$(cat "$table" 2> /dev/null || true)
    {
        cat <<END
# The two commands on fresh machines

Written by \`scripts/fresh.sh\`: README's two commands in roots that debootstrap made, with git and nothing else on them.
Seconds are from the command's beginning to its end, apt's downloads and all compiling included, and of CPU in all
processes. The second command finds what the first one has built. This machine has $(nproc) cores; others may have used
them too.

| system | date | commit | compiler | command | seconds | CPU seconds | steps | warnings | tests passed | failed | not run | which |
|---|---|---|---|---|---|---|---|---|---|---|---|---|
END
        for system in 12 13; do
            if [ -e "$WORK/rows/$system" ]; then cat "$WORK/rows/$system"
            else grep "^| Debian $system |" <<< "$old" || true
            fi
        done
    } > "$table.new"
    mv "$table.new" "$table"
}

# Whether the table says of all commands that they went well with this commit.
is_done() { # SYSTEM
    awk -F ' *[|] *' -v system_name="Debian $1" -v commit="${commit:0:10}" -v wanted=${#commands[@]} '
        $2 == system_name && $4 == commit && $12 + 0 == 0 && $14 !~ /exit code/ { ++good }
        END { exit good != wanted }' "$table" 2> /dev/null
}

git diff --quiet HEAD || echo "== what is not committed is not tried"
rm -f "$WORK"/rows/*
result=0
for system in "${systems[@]}"; do
    if [ -z "$again" ] && is_done "$system"; then
        echo "== Debian $system: $table has it"
        continue
    fi
    try_system "$system" || { result=1; echo "== Debian $system: failed, see $WORK/logs" >&2; }
    [ ! -e "$WORK/rows/$system" ] || write_table
    grep "^| Debian $system |" "$table" || true
done
exit $result
