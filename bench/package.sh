#!/usr/bin/env bash
# package.sh BUILD FOLDER: a folder that runs on another machine: the programs of a build (with
# benchmarks), the libraries they need, bench/device-day.sh and what it reads. At most 55 MiB, since a job
# may carry little more. Needs there: the same processor, a C library as new as here, and the
# driver. For a GPU that is not known beforehand, configure the build with
# -DCUVIER_CUDA_ARCHITECTURES=all; for an H100 or H200 alone, with 90, which is the quickest to load.
set -euo pipefail

build=${1:?usage: package.sh BUILD FOLDER}
folder=${2:?usage: package.sh BUILD FOLDER}
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
limit_kib=$((55 * 1024))

mkdir -p "$folder/bin" "$folder/lib" "$folder/share"
programs=("$build/cli/cuvier" "$build/probes/gpu/cuvier-gpu" "$build/bench/bench_device_day")

# All but the C library, which the driver's own libraries share with us: the other machine's
# must be as new as ours.
libraries=$(ldd "${programs[@]}" | awk '/=> \//{print $3}' |
  grep -Ev '/(libc|libm|libdl|librt|libpthread|ld-linux[^/]*)\.so' | sort -u)
for library in $libraries; do
  cp -L "$library" "$folder/lib/"
done
# Each program lies beside its libraries; a wrapper finds both, wherever the folder is.
for program in "${programs[@]}"; do
  name=$(basename "$program")
  strip -o "$folder/lib/$name" "$program"
  cat >"$folder/bin/$name" <<WRAPPER
#!/bin/sh
lib=\$(cd "\$(dirname "\$(readlink -f "\$0")")/../lib" && pwd)
LD_LIBRARY_PATH=\$lib\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH} exec "\$lib/$name" "\$@"
WRAPPER
  chmod +x "$folder/bin/$name"
done
# CUPTI is opened by name at run time; without it there is no shared_config.
cupti=$(find -L "${CUDA_HOME:-/usr/local/cuda}" -name 'libcupti.so.[0-9]*' 2>/dev/null | sort | head -n 1)
[[ -z $cupti ]] || cp -L "$cupti" "$folder/lib/$(basename "$cupti")"
cp "$source/corpus/table2.jsonl" "$folder/share/"
cp "$source/docs/howto/device-day.md" "$folder/share/" 2>/dev/null || true
cp "$source/bench/device-day.sh" "$source/bench/pack-day.sh" "$source/bench/killed-context.sh" "$folder/"

echo "C library: $(ldd --version | head -n 1)"
size=$(du -sk "$folder" | cut -f1)
echo "$folder: $((size / 1024)) MiB"
((size <= limit_kib)) || { echo "package: more than 55 MiB" >&2; exit 1; }
