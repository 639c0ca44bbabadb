#!/usr/bin/env bash
# pack-day.sh SEEN OUT: what a day with a GPU has seen so far, into OUT/seen.tar.gz, seen-1.tar.gz
# and so on: each of at most 15 MiB, since a job may bring home no larger file, and four at most,
# since it may bring home 64 MiB. The logs come first, then what was seen, the earliest first since
# it is worth most, and last, in archives of their own, the random sequences. What there is no room
# for is named. Every archive is whole at any moment and can be read without the others.
# A file is compressed anew only where it has changed, so a day can pack every few seconds: entries
# of tar can be strung together, and so can members of gzip. SEEN.pieces keeps them.
set -uo pipefail
seen=${1:?usage: pack-day.sh SEEN OUT} out=${2:?usage: pack-day.sh SEEN OUT}
limit=$((15 << 20)) most_archives=4
pieces=$seen.pieces

mkdir -p "$pieces" || exit 2
exec {lock}>"$pieces/lock"
flock "$lock" || exit 2
rm -f "$out"/.seen.*

# Two empty blocks end an archive.
end=$pieces/end
head -c 1024 /dev/zero | gzip -n >"$end"
room=$((limit - $(stat -c %s "$end")))

archive=0 size=0 last_kind=0
while read -r kind time bytes file; do
  name=$pieces/${file//\//%}
  piece=$name@$bytes@$time
  if [[ ! -e $piece ]]; then
    # A file that grows meanwhile is as good as it was: its readers know a line that was cut off.
    tar -C "$seen" -b 1 -cf - "$file" 2>/dev/null | head -c -1024 | gzip -n >"$pieces/new"
    rm -f "$name"@*
    mv "$pieces/new" "$piece"
  fi
  more=$(stat -c %s "$piece")
  if ((size > 0 && (size + more > room || kind == 2 && last_kind < 2))); then
    archive=$((archive + 1)) size=0
  fi
  if ((more > room || archive >= most_archives)); then
    echo "pack-day: no room for $file ($bytes bytes)"
    continue
  fi
  cat "$piece" >>"$out/.seen.$archive"
  size=$((size + more)) last_kind=$kind
done < <(cd "$seen" && find . -type f \( -path './recordings/random*' -printf 2 -o \
  -name '*.txt' -printf 0 -o -printf 1 \) -printf ' %T@ %s %P\n' | sort -k 1,1n -k 2,2n)

# The last first: what has moved on to it is in two archives for a moment, never in none.
for ((; archive >= 0; --archive)); do
  [[ -e $out/.seen.$archive ]] || continue
  cat "$end" >>"$out/.seen.$archive"
  ((archive == 0)) && number= || number=-$archive
  mv -f "$out/.seen.$archive" "$out/seen$number.tar.gz"
done
