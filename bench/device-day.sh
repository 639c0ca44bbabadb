#!/usr/bin/env bash
# device-day.sh SECONDS OUT [--seed S] [--device N]: all of docs/device-day.md on one GPU, as one
# job: what is worth most first, within SECONDS. Results are packed into OUT/seen.tar.gz after
# every step, every ten seconds and at the end, so that a job which is cut off at any moment has
# brought home what was seen by then. Another --seed asks other questions. Runs from a package
# (bench/package.sh) or from a build with benchmarks (CUVIER_BUILD, build/release if unset);
# CUVIER_RUNNER names another runner, such as the rehearsal's.
set -uo pipefail

usage="usage: device-day.sh SECONDS OUT [--seed S] [--device N]"
seconds=${1:?$usage} out=${2:?$usage} seed=0 gpu=0
shift 2
while (($# > 0)); do
  case $1 in
    --seed) seed=${2:?$usage} ;;
    --device) gpu=${2:?$usage} ;;
    *) echo "$usage" >&2; exit 2 ;;
  esac
  shift 2
done
[[ $seconds =~ ^[0-9]+$ && $seed =~ ^[0-9]+$ && $gpu =~ ^[0-9]+$ ]] || { echo "$usage" >&2; exit 2; }

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if [[ -x $here/bin/cuvier-gpu ]]; then # a package
  runner=$here/bin/cuvier-gpu cuvier=$here/bin/cuvier questions=$here/bin/bench_device_day
  killed=$here/bin/bench_killed_context table=$here/share/table2.jsonl
else
  build=$(cd "${CUVIER_BUILD:-$here/../build/release}" && pwd) || exit 2
  runner=$build/probes/gpu/cuvier-gpu cuvier=$build/cli/cuvier
  questions=$build/bench/bench_device_day killed=$build/bench/bench_killed_context
  table=$here/../corpus/table2.jsonl
fi

mkdir -p "$out" || exit 2
out=$(cd "$out" && pwd)
seen=$(mktemp -d)
log=$seen/log.txt
runner=${CUVIER_RUNNER:-"$runner --device $gpu --log $seen/runner.txt"}
end=$((SECONDS + seconds - 5)) # the last pack takes a moment
left() { echo $((end - SECONDS > 0 ? end - SECONDS : 0)); }

pack() {
  local archive=$out/.seen.$BASHPID
  # A file that grows meanwhile is as good as it was: its readers know a line that was cut off.
  tar -C "$seen" -czf "$archive" . 2>/dev/null
  mv -f "$archive" "$out/seen.tar.gz"
}

child= packer=
finish() {
  trap - EXIT INT TERM HUP
  [[ -z $packer ]] || kill "$packer" 2>/dev/null
  [[ -z $child ]] || kill "$child" 2>/dev/null
  pack
  rm -f "$out"/.seen.*
  exit "${1:-0}"
}
trap finish EXIT
trap 'finish 130' INT TERM HUP

# Nothing here waits for a pipe: a runner that does not die would keep it open.
step() { # NAME SECONDS COMMAND...: for that long at most, then on to the next
  local name=$1 limit=$2 code
  shift 2
  ((limit < $(left))) || limit=$(left)
  if ((limit < 5)); then
    echo "== $name: no time left" | tee -a "$log"
    return
  fi
  local began=$SECONDS
  timeout --kill-after=5 "$limit" "$@" >"$seen/$name.txt" 2>&1 &
  child=$!
  wait "$child"
  code=$?
  child=
  { echo "== $name: code $code after $((SECONDS - began)) s"; tail -n 5 "$seen/$name.txt" | cut -c 1-200; } |
    tee -a "$log"
  pack
}
share() { echo $(($(left) * $1 / 100)); }

# As long as somebody has the device open the driver stays up, and each start of the runner is
# spared the seconds that it needs for that.
for device in /dev/nvidia[0-9]*; do
  [[ ! -c $device ]] || exec {handle}<"$device" || true
done 2>/dev/null

echo "seconds $seconds, seed $seed, runner $runner" >"$log"
while sleep 10 && kill -0 $$ 2>/dev/null; do pack; done &
packer=$!

step machine 20 sh -c "date -u; uname -srm; nproc; nvidia-smi; $runner --version"
step order 60 "$questions" "$runner" "$seen/recordings" 40 "$table" "$seed" order
step self-test 60 sh -c "exec $runner --self-test"
step topology 30 sh -c "exec $runner --topology"
limit=$(share 45)
step questions "$limit" "$questions" "$runner" "$seen/recordings" $((limit * 9 / 10)) "$table" \
  "$seed" large-grids clusters table2 fragmentation carve-out queueing resident-kernels local-memory \
  warp-pointer
step large-grids-spin 30 "$questions" "$runner --spin" "$seen/spin" 25 "$table" "$seed" large-grids
limit=$(share 55)
step infer "$limit" "$cuvier" infer --oracle "exec:$runner" --out "$seen/infer" \
  --time-limit $((limit * 9 / 10)) --seed "$seed"
for item in table2 carve-out; do # what a session keeps out of the way, or must not look at
  step "shared-configs-$item" 20 sh -c "exec $runner --shared-configs \
    $seen/recordings/$item/journal.jsonl >$seen/shared-configs-$item.jsonl"
done
step local-as-is 30 "$questions" "$runner --local-as-is" "$seen/local-as-is" 20 "$table" "$seed" \
  local-memory
step killed-context 40 "$killed" "$runner"
# Whatever time the others left, an inference that was soon refuted most of all; and again if it
# ends early.
for ((attempt = 1; attempt <= 5 && $(left) >= 20; ++attempt)); do
  limit=$(left)
  step random "$limit" "$questions" "$runner" "$seen/recordings" $((limit * 9 / 10)) "$table" \
    "$seed" random
done
echo "== done after $SECONDS s" | tee -a "$log"
