#!/bin/sh
# An event on SLURM: sbatch slurm.sh event.toml
# Everything lies on a file system that all nodes share. The TLS certificates are those of ~/.config/dask.
#SBATCH --job-name=ordago
#SBATCH --ntasks=10
#SBATCH --cpus-per-task=2
#SBATCH --mem-per-cpu=2G
#SBATCH --time=12:00:00

scheduler=$PWD/scheduler-$SLURM_JOB_ID.json

srun --overlap --ntasks=1 dask scheduler --protocol tls --scheduler-file "$scheduler" --no-dashboard &
while [ ! -s "$scheduler" ]; do sleep 1; done
address=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["address"])' "$scheduler")

srun --overlap --ntasks=8 dask worker "$address" --nthreads 1 --no-dashboard --local-directory /tmp &

# A job that is requeued goes on where it was.
ordago run "$1" --cluster "$address"
