#!/usr/bin/env bash
# device-day.sh MINUTES OUT [N]: all of docs/device-day.md on GPU number N (default 0), most
# valuable first, within MINUTES; what is known is in OUT the moment it is known. Runs from a
# package (bench/package.sh) or from a build with benchmarks (CUVIER_BUILD=build/release).
set -uo pipefail

minutes=${1:?usage: device-day.sh MINUTES OUT [N]}
out=${2:?usage: device-day.sh MINUTES OUT [N]}
gpu=${3:-0}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

if [[ -x $here/bin/cuvier-gpu ]]; then # a package
  runner=$here/bin/cuvier-gpu cuvier=$here/bin/cuvier questions=$here/bin/bench_device_day
  table=$here/share/table2.jsonl
else
  build=${CUVIER_BUILD:-$here/../build/release}
  runner=$build/probes/gpu/cuvier-gpu cuvier=$build/cli/cuvier
  questions=$build/bench/bench_device_day table=$here/../corpus/table2.jsonl
fi
# In tests: the same protocol without a GPU.
runner=${CUVIER_RUNNER:-"$runner --device $gpu"}

end=$((SECONDS + minutes * 60))
left() { echo $((end - SECONDS > 0 ? end - SECONDS : 0)); }
mkdir -p "$out"
log=$out/log.txt

# step NAME SECONDS COMMAND...: runs it for that long at most, keeps what it says, goes on.
step() {
  local name=$1 limit=$2
  shift 2
  local now
  now=$(left)
  ((limit < now)) || limit=$now
  if ((limit < 5)); then
    echo "== $name: no time left" | tee -a "$log"
    return
  fi
  echo "== $name (at most $limit s)" | tee -a "$log"
  local began=$SECONDS
  timeout --kill-after=10 "$limit" "$@" 2>&1 | tee -a "$out/$name.txt" | tail -n 20 | tee -a "$log"
  echo "== $name: code ${PIPESTATUS[0]} after $((SECONDS - began)) s" | tee -a "$log"
}

{ date -u; uname -srm; nvidia-smi; } >>"$log" 2>&1
step version 10 sh -c "$runner --version"
step self-test 120 sh -c "$runner --self-test"
step topology 60 sh -c "$runner --topology"

# The fixed questions leave a third of the time for the inference.
fixed=$(($(left) * 2 / 3))
step questions "$((fixed + 20))" "$questions" "$runner" "$out/recordings" "$fixed" "$table"

# Live, as long as it may be: all but what the last steps need.
limit=$(($(left) - 100))
((limit >= 30)) || limit=$(($(left) - 15))
((limit < 30)) || step infer "$((limit + 10))" "$cuvier" infer --oracle "exec:$runner" \
  --out "$out/infer" --time-limit "$limit"

# Two mechanisms that a default session keeps out of the way.
step shared-config 40 "$questions" "$runner --cupti" "$out/with-cupti" 20 "$table" table2 carve-out
step local-as-is 40 "$questions" "$runner --local-as-is" "$out/local-as-is" 20 "$table" local-memory

# What explains all of it, and what the plainest of it? Needs no GPU: what finds no time here
# is asked later.
journals=("$out"/recordings/*/journal.jsonl)
step check-all "$(left)" "$cuvier" check "${journals[@]}"
for item in order table2 large-grids; do
  journal=$out/recordings/$item/journal.jsonl
  [[ ! -f $journal ]] || step "check-$item" "$(left)" "$cuvier" check "$journal"
done
echo "== done: $out" | tee -a "$log"
