#!/usr/bin/env bash
# planted-formulas.sh CUVIER: formulas that no table has, each planted in a simulated device and
# inferred, once with the formula among the named values of its axis and once without it.
# docs/design/measured/formulas.md has what came out.
set -euo pipefail
cuvier=$(realpath "$1")
cd "$(mktemp -d)"

planted() { # DEVICE AXIS FORMULA [OTHERS]
  local device=$1 axis=$2 formula=$3 others=${4:+$4,} with=0 without=0 seconds=$SECONDS
  local oracle="sim:$device,$others$axis=$formula"
  "$cuvier" infer --oracle "$oracle" --assume "$axis=named,$formula" --out with >with.txt 2>&1 || with=$?
  seconds=$((SECONDS - seconds))
  "$cuvier" infer --oracle "$oracle" --out without >without.txt 2>&1 || without=$?
  printf '| `%s=%s` | %s | %s | %s | %s |\n' "$axis" "$formula" "$with" \
    "$(grep -c '"type":"recording"' with/journal.jsonl)" "$seconds" "$without"
  rm -r with without
}

echo '| planted | exit with it | probes | seconds | exit without it |'
echo '| --- | --- | --- | --- | --- |'
planted t4 tie_break 'sm * 7 mod sms'
planted t4 pointer_skip 'next + (w >= 8 ? 1 : 0)'
planted t4 selection 'warps + blocks'
planted t4 selection '(blocks mod 2, warps)'
planted t4 dispatch_batch 'left > 3 * sms'
planted t4 pairs_in_flight 'picks >= 8 ? 2 : 1' dispatch_batch=pair
planted t4 config_rounding 'up - wanted < wanted - down ? up : down'
planted t4 runtime_shared '512 + 128 * w'
planted t4 register_granularity '(registers * 32 + 383) / 384 * 384'
planted t4 room_warps '(min(4 * scarcest, pool) + min(free, pool)) / (2 * w)'
planted t4 config_gate 'preferred <= 2 * current'
planted t4 queue 'w < head_warps'
planted t4 warp_placement 'p + i + i / 8'
planted t4 group_selection '(blocks + warps, -sms)' hierarchy=tpc
planted t4 local_memory 'local > 2 * latest'
planted t4 priority '(priority, -w)'
planted h200 tie_break '(place_in_gpc, -gpc)'
planted h200 cluster_gpc '(blocks mod 8, -turn)'
planted h200 cluster_sms '(blocks, -place_in_gpc)'
