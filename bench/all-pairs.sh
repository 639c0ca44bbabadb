#!/usr/bin/env bash
# all-pairs.sh CUVIER FOLDER [--shard I/N] [DEVICE...]: the catalogue of Algorithm 1's neighbours on
# each device that is built in (or named), in FOLDER/DEVICE. Ends with the exit codes; fails where a
# pair did. Minutes of CPU for each device.
set -euo pipefail

usage="usage: all-pairs.sh CUVIER FOLDER [--shard I/N] [DEVICE...]"
cuvier=$(realpath "${1:?$usage}")
folder=${2:?$usage}
shift 2
[ "${1:-}" = --shard ] || set -- --shard 1/1 "$@"
[ $# -gt 2 ] || set -- "$@" $("$cuvier" devices | awk 'NR > 1 {print $1}')

mine=$("$(dirname "$0")/shards.py" take "${@:2}")
mkdir -p "$folder"
failed=0
while read -r device; do
  [[ $device != shard\ * ]] || { echo "$device"; continue; }
  status=0
  "$cuvier" distinguish --all-pairs "$folder/$device" --device "$device" >"$folder/$device.log" \
    </dev/null || status=$?
  echo "$device: exit code $status, $(tail -n 2 "$folder/$device.log" | head -n 1)"
  case $status in 0 | 10 | 12) ;; *) failed=1 ;; esac
done <<<"$mine"
exit "$failed"
