#!/usr/bin/env bash
# killed-context.sh RUNNER: how long until a GPU works again after a process that held blocks on it was
# killed. Starts the runner (a command that speaks the oracle protocol), keeps it busy, kills it,
# starts another, and prints a JSON object.
set -euo pipefail
export LC_ALL=C
command=${1:?usage: killed-context.sh RUNNER}

since() { awk "BEGIN { print $EPOCHREALTIME - $1 }"; }

hello() { # of a runner that it starts: `answer`, and how long that took in `seconds`
  local begin=$EPOCHREALTIME
  coproc runner { exec setsid sh -c "$command"; }
  echo '{"type":"hello","protocol":1}' >&"${runner[1]}"
  read -r -t 90 answer <&"${runner[0]}" || { echo "no answer to hello" >&2; exit 3; }
  [[ $answer == *'"type":"device"'* ]] || { echo "$answer" >&2; exit 3; }
  seconds=$(since "$begin")
}

hello
cold=$seconds
# One block an SM, over and over: at any moment some are likely to be resident.
[[ $answer =~ \"sms\":([0-9]+) ]]
kernel="{\"blocks\":${BASH_REMATCH[1]},\"threads\":64,\"registers\":32}"
echo "{\"type\":\"run\",\"id\":1,\"repeat\":100000,\"channels\":[\"sm\"],\"probe\":{\"name\":\"busy\"," \
  "\"kernels\":{\"k\":$kernel},\"script\":[{\"launch\":\"k\"}]}}" >&"${runner[1]}"
sleep 1
first=$runner_PID killed=$EPOCHREALTIME
{ kill -KILL -- "-$first" && wait "$first"; } 2>/dev/null || true
gone=$(since "$killed")
hello
echo "{\"first_start_s\":$cold,\"gone_after_kill_s\":$gone,\"start_after_kill_s\":$seconds}"
