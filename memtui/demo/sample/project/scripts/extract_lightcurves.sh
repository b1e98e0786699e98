#!/bin/sh
# Cut the targets out of the full-frame images and write one light curve each.
#   --sector N      only this sector
#   --flatten       divide by a running median of 1.5 days
set -eu
exec julia --project=analysis analysis/lightcurves.jl "$@"
