#!/usr/bin/env bash
# all-pairs.sh CUVIER FOLDER [--shard I/N] [DEVICE...]: the catalogue of Algorithm 1's neighbours on
# each device that is built in (or named), in FOLDER/DEVICE. Ends with the exit codes; fails where a
# pair did. Minutes of CPU for each device.
set -euo pipefail

usage="usage: all-pairs.sh CUVIER FOLDER [--shard I/N] [DEVICE...]"
cuvier=$(realpath "${1:?$usage}")
folder=${2:?$usage}
shift 2
shard=1/1
if [ "${1:-}" = --shard ]; then
  shard=${2:?$usage}
  shift 2
fi
devices=("$@")
if [ ${#devices[@]} -eq 0 ]; then
  mapfile -t devices < <("$cuvier" devices | awk 'NR > 1 {print $1}')
fi

mine=$("$(dirname "$0")/shards.py" take "$shard" "${devices[@]}")
[ "$shard" = 1/1 ] || echo "shard $shard of ${#devices[@]}"
mkdir -p "$folder"
failed=0
while read -r device; do
  status=0
  "$cuvier" distinguish --all-pairs "$folder/$device" --device "$device" >"$folder/$device.log" \
    </dev/null || status=$?
  echo "$device: exit code $status, $(tail -n 2 "$folder/$device.log" | head -n 1)"
  case $status in 0 | 10 | 12) ;; *) failed=1 ;; esac
done <<<"$mine"
exit "$failed"
