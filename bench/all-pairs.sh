#!/usr/bin/env bash
# all-pairs.sh CUVIER FOLDER [DEVICE...]: the catalogue of Algorithm 1's neighbours on each device
# that is built in (or named), in FOLDER/DEVICE. Ends with the exit codes; fails where a pair did.
# Minutes of CPU for each device.
set -euo pipefail

cuvier=$(realpath "${1:?usage: all-pairs.sh CUVIER FOLDER [DEVICE...]}")
folder=${2:?usage: all-pairs.sh CUVIER FOLDER [DEVICE...]}
shift 2
devices=("$@")
if [ ${#devices[@]} -eq 0 ]; then
  mapfile -t devices < <("$cuvier" devices | awk 'NR > 1 {print $1}')
fi

mkdir -p "$folder"
failed=0
for device in "${devices[@]}"; do
  status=0
  "$cuvier" distinguish --all-pairs "$folder/$device" --device "$device" >"$folder/$device.log" ||
    status=$?
  echo "$device: exit code $status, $(tail -n 2 "$folder/$device.log" | head -n 1)"
  case $status in 0 | 10 | 12) ;; *) failed=1 ;; esac
done
exit "$failed"
