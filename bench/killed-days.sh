#!/usr/bin/env bash
# killed-days.sh N SECONDS [SEED]: N days of docs/howto/device-day.md before the unkind rehearsal, each
# killed with all its processes at a random moment. Of each, what it had finished must be in its
# archives, these whole and of at most 15 MiB, and every recording there must be true: as the model
# predicts that the fake GPU follows. (Not where streams share few connections, which is asked to
# see what waits then.)
# Another SEED: other days, killed at other moments.
# Programs from CUVIER_BUILD (build/dev if unset), built with benchmarks.
set -uo pipefail
days=${1:?usage: killed-days.sh N SECONDS [SEED]} seconds=${2:?usage: killed-days.sh N SECONDS [SEED]}
seed=${3:-0}
RANDOM=$((seed + 1))
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export CUVIER_BUILD=${CUVIER_BUILD:-$root/build/dev} CUVIER_FAKE_GPU=${CUVIER_FAKE_GPU:-h200}
export CUVIER_RUNNER=$CUVIER_BUILD/tests/cuvier-gpu-rehearsal CUVIER_FAKE_UNKIND=all
folder=$(mktemp -d)
export TMPDIR=$folder
failed=0

for ((day = 1; day <= days; ++day)); do
  out=$folder/$day
  mkdir "$out"
  export CUVIER_FAKE_SEED=$((seed + day))
  after=$((RANDOM * seconds / 32768))
  setsid "$root/bench/device-day.sh" "$seconds" "$out" --seed "$CUVIER_FAKE_SEED" >"$out/said.txt" 2>&1 &
  sleep "$after"
  pkill -KILL -s $!
  { wait $!; } 2>/dev/null

  faults=() recordings=0
  mkdir "$out/seen"
  for archive in "$out"/seen*.tar.gz; do
    [[ -f $archive ]] || continue
    tar -C "$out/seen" -xzf "$archive" || faults+=("$(basename "$archive") is damaged")
    (($(stat -c %s "$archive") <= 15 << 20)) || faults+=("$(basename "$archive") is too large")
  done
  finished=$(grep -c '^== .*: code' "$out/said.txt")
  archived=$(grep -sc '^== .*: code' "$out/seen/log.txt" || true)
  # Of a step that was killed between its last line and its pack only the line is lost.
  ((finished - ${archived:-0} <= 1)) || faults+=("$finished steps finished, $archived archived")
  while read -r journal; do
    count=$(grep -c '"type":"recording"' "$journal")
    recordings=$((recordings + count))
    # Of a session that did not open nothing counts (docs/reference/oracle-protocol.md).
    (($(grep '"type":"recording"' "$journal" | grep -vc '"exact":0[,}]') == 0)) && continue
    "$CUVIER_BUILD/cli/cuvier" check --model algorithm-1 "$journal" >"$out/check.txt" 2>&1 ||
      faults+=("${journal#"$out"/seen/} is not as predicted: $(tail -n 1 "$out/check.txt")")
  done < <(find "$out/seen" -name journal.jsonl -not -path '*/connections-*')
  echo "day $day, killed after $after s: $finished steps, $recordings recordings," \
    "$(cat "$out"/seen*.tar.gz 2>/dev/null | wc -c) bytes${faults[*]:+: FAULT: ${faults[*]}}"
  ((${#faults[@]} == 0)) || failed=$((failed + 1))
done
echo "$((days - failed)) passed, $failed failed (in $folder)"
((failed == 0)) && rm -rf "$folder"
exit $((failed > 0))
