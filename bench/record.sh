#!/bin/sh
# What recording costs in a whole run of a settled bed, with `drystone run` on one thread: a step, a row of the usual measures,
# a frame, and the memory at the peak. Rows of scene,what,value,unit,ratio; ratios are to a step. Times are those of the processor, a
# frame also takes time of the thread that writes it. Needs DRYSTONE_PACKINGS (see bench/README.md).
# Usage: bench/record.sh [grains: 1000, 10000 or 100000] [method: md or cd] [steps]
set -eu
count=${1:-10000}
method=${2:-md}
steps=${3:-200}
case $count in
1000) width=0.10 ;;
10000) width=0.20 ;;
100000) width=0.43 ;;
*) echo "no bed of $count grains" >&2 && exit 1 ;;
esac
case $method in
md) dt=2e-5 ;;
cd) dt=1e-3 ;;
*) echo "md or cd, not $method" >&2 && exit 1 ;;
esac
cd "$(dirname "$0")/.."
program=${DRYSTONE:-target/release/drystone}
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cat >"$folder/bed.toml" <<END
dimension = 3
gravity   = [0, 0, -9.81]
[[material]]
name    = "glass"
density = 2500
[[contact]]
between  = "any"
friction = 0.5
md       = { normal = { law = "hertz_tsuji", young = 1e7, poisson = 0.3, restitution = 0.5 }, tangential = { law = "mindlin" } }
[[grains]]
material = "glass"
shape    = { kind = "sphere" }
overlap  = 0.15
place    = { how = "file", file = "$DRYSTONE_PACKINGS/settled_$count.csv" }
[[wall]]
name     = "box"
kind     = "box"
min      = [0, 0, 0]
max      = [$width, $width, 10]
material = "glass"
[method]
use = "$method"
md  = { time_step = 2e-5 }
cd  = { time_step = 1e-3 }
END

# seconds on the processor, by the clock, and kilobytes at the peak, of a run of so many steps with this output
run() {
    end=$(awk -v n="$1" -v dt=$dt 'BEGIN { printf "%.10g", n * dt }')
    shift
    /usr/bin/time -o "$folder/time" -f "%U %S %e %M" \
        "$program" run "$folder/bed.toml" --threads 1 --quiet --force -o "$folder/out" --set stop.at="$end" "$@" >&2
    awk '{ print $1 + $2, $3, $4 }' "$folder/time"
}
never='output.series_every=1e9'
least=$(run 1 --set $never)
plain=$(run "$steps" --set $never)
rows=$(run "$steps" --set output.series_every=step)
usual=$(run "$steps")
frames=$(run "$steps" --set $never --set output.frames="$(awk -v dt=$dt 'BEGIN { print 10 * dt }')")
echo "$least $plain $rows $usual $frames" | awk -v n="$steps" -v grains="$count" -v scene="$method $count" '
function row(what, value, unit, ratio) { printf "%s,%s,%.3f,%s,%s\n", scene, what, value, unit, ratio == "" ? "" : sprintf("%.3f", ratio) }
{
    step = ($4 - $1) / (n - 1); each = ($7 - $4) / (n - 1); frame = ($13 - $4) / (n / 10 - 1); waits = ($14 - $5) / (n / 10 - 1)
    row("a step", 1e3 * step, "ms", 1)
    row("a row", 1e3 * each, "ms", each / step)
    row("rows as by default", 100 * ($10 - $4) / $4, "% of the time", "")
    row("a frame on the processor", 1e3 * frame, "ms", frame / step)
    row("a frame by the clock", 1e3 * waits, "ms", waits / step)
    row("memory at the peak", 1024 * $6 / grains, "bytes a grain", "")
    row("memory at the peak with frames", 1024 * $15 / grains, "bytes a grain", "")
}'
