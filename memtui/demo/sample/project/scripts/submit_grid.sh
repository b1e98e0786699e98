#!/bin/sh
# Send the grid to the cluster, one array job per metallicity.
#   --resume    only models without a final photo
#   --dry-run   print the sbatch lines, submit nothing
set -eu
resume=no dry=no
for arg in "$@"; do
    case $arg in
        --resume) resume=yes ;;
        --dry-run) dry=yes ;;
        *) echo "unknown option: $arg" >&2; exit 2 ;;
    esac
done
for z in 0.006 0.014 0.02; do
    line="sbatch --partition=long --array=0-17%18 --export=Z=$z,RESUME=$resume mesa/one_model.sbatch"
    if [ "$dry" = yes ]; then echo "$line"; else $line; fi
done
