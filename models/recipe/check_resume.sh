#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Trains a tiny setting once in one go and once killed over and over; both must
# end with the same weights. Usage: check_resume.sh DATA [PYTHON]
set -eu
data=$1
python=${2:-python3}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$python" "$here/run.py" --data "$data" --preset tiny --training "$work/whole" --only prepare train
mkdir "$work/cut"
cp "$work/whole/pairs.json" "$work/whole/pairs.tsv" "$work/whole/validation.tsv" "$work/whole/vocab.spm" "$work/cut"
mkdir "$work/cut/tiny"
: > "$work/cut/tiny/train.log"

kills=0
while :; do
    "$python" "$here/run.py" --data "$data" --preset tiny --training "$work/cut" --only train &
    pid=$!
    # Killed once three more lines of losses are there, whatever it is doing then.
    while kill -0 "$pid" 2>/dev/null; do
        [ "$(grep -c ' loss ' "$work/cut/tiny/train.log")" -ge $((kills * 3 + 3)) ] && break
        sleep 0.5
    done
    grep -q "stopped at step" "$work/cut/tiny/train.log" && break
    kill -9 "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
    kills=$((kills + 1))
    [ "$kills" -lt 30 ] || { echo "never finished"; exit 1; }
done
wait "$pid" || true

"$python" - "$work" "$kills" <<'END'
import sys, torch
a, b = (torch.load(f"{sys.argv[1]}/{run}/tiny/checkpoints/last.pt", weights_only=True) for run in ("whole", "cut"))
assert a["step"] == b["step"], (a["step"], b["step"])
worst = max((a["model"][k] - b["model"][k]).abs().max().item() for k in a["model"])
print(f"{sys.argv[2]} kills, same step {a['step']}, largest difference {worst}")
sys.exit(worst > 1e-4)
END
