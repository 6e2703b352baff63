#!/bin/sh
# Runs drystone and Debian's LAMMPS on the same settled bed with the same law, one core each, one after the other,
# and prints the ratio of speeds and both kinetic energies. Needs DRYSTONE_PACKINGS (see bench/README.md).
# Usage: bench/lammps.sh [grains, 10000 or 100000] [steps]
set -eu
count=${1:-10000}
steps=${2:-1000}
case $count in
1000) width=0.10 ;;
10000) width=0.20 ;;
100000) width=0.43 ;;
*) echo "no bed of $count grains" >&2 && exit 1 ;;
esac
command -v lmp >/dev/null || apt-get install -y lammps >/dev/null
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
bed=$DRYSTONE_PACKINGS/settled_$count.csv

# atom_style sphere: id type diameter density x y z
awk -F, -v n="$count" -v w="$width" '
BEGIN { printf "bed\n\n%d atoms\n1 atom types\n\n-0.001 %g xlo xhi\n-0.001 %g ylo yhi\n-0.001 2 zlo zhi\n\nAtoms # sphere\n\n",
        n, w + 0.001, w + 0.001 }
NR > 1 { printf "%d 1 %.17g 2500 %s %s %s\n", NR - 1, 2 * $4, $1, $2, $3 }' "$bed" >"$folder/bed.data"

# E = 1e7 Pa, nu = 0.3: k_n = 4/3 E*, k_t = 8 G*. drystone's dashpot 2 A E* a is m* gamma_n a in LAMMPS, where the
# reduced mass m* is that of two mean grains, or of a grain at a wall. A = 2e-4 s as in benches/md.rs.
law() { awk -F, -v share="$1" 'NR > 1 { volume += $4 ^ 3; n++ } END {
    mass = 2500 * 4 / 3 * 3.141592653589793 * volume / n
    modulus = 1e7 / (2 * (1 - 0.09)); shear = 1e7 / (4 * 1.3 * 1.7)
    gamma = 2 * 2e-4 * modulus / (mass * share)
    printf "%.10g %.10g %.10g %.10g 0.5 1", 4 / 3 * modulus, 8 * shear, gamma, gamma / 2 }' "$bed"; }
{
    echo "units si"
    echo "atom_style sphere"
    echo "boundary f f f"
    echo "newton off"
    echo "comm_modify vel yes"
    echo "read_data $folder/bed.data"
    echo "neighbor 0.0005 bin"
    echo "neigh_modify delay 0"
    echo "pair_style gran/hertz/history $(law 0.5)"
    echo "pair_coeff * *"
    echo "fix 1 all nve/sphere"
    echo "fix 2 all gravity 9.81 vector 0 0 -1"
    echo "fix 3 all wall/gran hertz/history $(law 1) zplane 0 NULL"
    echo "fix 4 all wall/gran hertz/history $(law 1) xplane 0 $width"
    echo "fix 5 all wall/gran hertz/history $(law 1) yplane 0 $width"
    echo "compute spin all erotate/sphere"
    echo "thermo_style custom step ke c_spin"
    echo "thermo_modify norm no"
    echo "thermo $steps"
    echo "timestep 2e-5"
    echo "run $steps"
} >"$folder/in.bed"

cd "$(dirname "$0")/.."
cargo bench -q -p drystone --bench md -- --csv "lammps $count" >"$folder/own.csv"
(cd "$folder" && OMP_NUM_THREADS=1 lmp -in in.bed -log log.bed >out.txt)

awk -F, '/steps on/ { rate = $3 } /kinetic/ { energy = $3 }
END { printf "drystone: %.2f million grain-steps a second, kinetic energy %.5g uJ\n", rate, energy; print rate > "'"$folder"'/own" }' \
    "$folder/own.csv"
awk -v n="$count" -v steps="$steps" -v own="$(cat "$folder/own")" '
/^Loop time of/ { seconds = $4 }
/CPU use with/ { rate = n * steps / (seconds * $1 / 100) / 1e6 } # time on the processor, as in the bench
$1 == steps && NF == 3 { energy = 1e6 * ($2 + $3) }
END { printf "LAMMPS:   %.2f million grain-steps a second, kinetic energy %.5g uJ\nratio of speeds: %.2f\n",
      rate, energy, own / rate }' "$folder/log.bed"
