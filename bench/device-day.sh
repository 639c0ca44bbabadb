#!/usr/bin/env bash
# device-day.sh SECONDS OUT [--seed S] [--device N]: all of docs/howto/device-day.md on one GPU, as one
# job: what is worth most first, within SECONDS. Results are packed into OUT (bench/pack-day.sh)
# after every step, every ten seconds and at the end, so that a job which is cut off at any moment
# has brought home what was seen by then. Another --seed asks other questions. Runs from a package
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
if [[ -f $here/bin/cuvier-gpu ]]; then
  package=$here
  # On its way it may have lost the bits that let its programs run, and be where none can be set.
  if ! chmod a+x "$package"/bin/* "$package"/lib/* 2>/dev/null; then
    package=$(mktemp -d) && cp -r "$here/." "$package" && chmod a+x "$package"/bin/* "$package"/lib/* ||
      exit 2
  fi
  runner=$package/bin/cuvier-gpu cuvier=$package/bin/cuvier questions=$package/bin/bench_device_day
  table=$package/share/table2.jsonl
else
  build=$(cd "${CUVIER_BUILD:-$here/../build/release}" && pwd) || exit 2
  runner=$build/probes/gpu/cuvier-gpu cuvier=$build/cli/cuvier
  questions=$build/bench/bench_device_day table=$here/../corpus/table2.jsonl
fi

mkdir -p "$out" || exit 2
out=$(cd "$out" && pwd)
[[ ! -e $out/seen.tar.gz ]] || { echo "$out has what another day saw; name another folder" >&2; exit 2; }
seen=$(mktemp -d)
log=$seen/log.txt
runner=${CUVIER_RUNNER:-"$runner --device $gpu --log $seen/runner.txt"}
end=$((SECONDS + seconds - 5)) # the last pack takes a moment
left() { echo $((end - SECONDS > 0 ? end - SECONDS : 0)); }
pack() { bash "$here/pack-day.sh" "$seen" "$out"; }

# For who sees only what a job prints.
tell() {
  find "$seen" -name journal.jsonl | sort | while read -r journal; do
    echo "$(grep -c '"type":"recording"' "$journal") recordings in ${journal#"$seen"/}"
  done
  grep -h '"ok":false' "$seen/self-test.txt" | cut -c 1-500
  tail -n 15 "$seen/runner.txt" | cut -c 1-500
  ls -l "$out"
} 2>/dev/null

child= packer=
finish() {
  trap - EXIT INT TERM HUP
  [[ -z $packer ]] || kill "$packer" 2>/dev/null
  [[ -z $child ]] || kill "$child" 2>/dev/null
  pack
  tell
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
  timeout --kill-after=5 "$limit" "$@" >>"$seen/$name.txt" 2>&1 &
  child=$!
  wait "$child"
  code=$?
  child=
  { echo "== $name: code $code after $((SECONDS - began)) s"; tail -n 5 "$seen/$name.txt" | cut -c 1-200; } |
    tee -a "$log"
  pack >/dev/null
  return "$code"
}
share() { echo $(($(left) * $1 / 100)); }

# Questions to a runner with these flags, in journals of their own (FOLDER/ITEM); again, in what is
# left of their time, where the runner cannot be had: one that was killed may still hold the GPU.
ask() { # NAME SECONDS FOLDER FLAGS SEED ITEM...
  local name=$1 until=$((SECONDS + $2)) folder=$seen/$3 flags=$4 questions_seed=$5 limit attempt
  shift 5
  for attempt in 1 2 3; do
    limit=$((until - SECONDS))
    ((limit < $(left))) || limit=$(left)
    step "$name" "$limit" "$questions" "$runner$flags" "$folder" $((limit * 9 / 10)) "$table" \
      "$questions_seed" "$@" && return
    ((until - SECONDS >= 10)) || return
  done
}
otherwise() { # FLAGS ITEM...: what differs with these?
  local name=${1#--}
  ask "${name// /-}" 25 "${name// /-}" " $1" "$seed" "${@:2}"
}

# As long as somebody has the device open the driver stays up, and each start of the runner is
# spared the seconds that it needs for that.
for device in /dev/nvidia[0-9]*; do
  [[ ! -c $device ]] || exec {handle}<"$device" || true
done 2>/dev/null

echo "seconds $seconds, seed $seed, runner $runner" >"$log"
while sleep 10 && kill -0 $$ 2>/dev/null; do
  pack >/dev/null
  ((SECONDS < end + 30)) || kill $$ # something does not even die
done &
packer=$!

step machine 30 sh -c "$runner --version; code=\$?; date -u; uname -a; nproc; ldd --version | head -n 1
  ls -l /dev/nvidia*; timeout 10 nvidia-smi -q | head -n 220; timeout 5 nvidia-smi topo -m; exit \$code"
ask order 60 recordings "" "$seed" order
step self-test 60 sh -c "exec $runner --self-test"
step topology 30 sh -c "exec $runner --topology"
ask questions "$(share 45)" recordings "" "$seed" large-grids clusters table2 crowded-clusters \
  one-at-a-time fragmentation carve-out carve-outs queueing resident-kernels local-memory \
  warp-pointer after-idle
otherwise "--spin" large-grids
limit=$(share 50)
step infer "$limit" "$cuvier" infer --oracle "exec:$runner" --out "$seen/infer" \
  --time-limit $((limit * 3 / 4)) --seed "$seed"
for item in table2 carve-out; do # what a session keeps out of the way, or must not look at
  step "shared-configs-$item" 20 sh -c "exec $runner --shared-configs \
    $seen/recordings/$item/journal.jsonl >$seen/shared-configs-$item.jsonl"
done
otherwise "--cluster-policy spread" crowded-clusters
otherwise "--cluster-policy load-balancing" crowded-clusters
otherwise "--carve-out 0" carve-out carve-outs
otherwise "--carve-out 100" carve-out carve-outs
otherwise "--connections 1" queueing
otherwise "--connections 8" queueing
otherwise "--local-as-is" local-memory
step killed-context 40 bash "$here/killed-context.sh" "$runner"
# Whatever time the others left, an inference that was soon refuted most of all; and others if it
# ends early.
for ((attempt = 0; attempt < 5 && $(left) >= 20; ++attempt)); do
  ask random "$(left)" recordings "" $((seed + 1000 * attempt)) random
done
echo "== done after $SECONDS s" | tee -a "$log"
