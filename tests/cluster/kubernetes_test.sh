#!/bin/bash
# What configs/cluster/kubernetes.yaml has its pods do, done here: kubernetes_test.sh WORK_DIR BIN_DIR
#
# The manifest's own words are run once for each index of the job, and merge to the run of one machine.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/cluster/same_games.sh
. "$here/same_games.sh"
python3 -c 'import yaml' 2>/dev/null || { echo "skipped: no yaml (Debian: apt-get install python3-yaml)"; exit 77; }
command -v sqlite3 >/dev/null || { echo "skipped: no sqlite3 (Debian: apt-get install sqlite3)"; exit 77; }
work=$1
export PATH=$2:$PATH
rm -rf "$work"
mkdir -p "$work/run-file" "$work/games"
cd "$work/run-file"
write_run_file RUN.toml 256 20
cd ..
selfplay generate --config run-file/RUN.toml --out whole.db --quiet --threads 1 >/dev/null
python3 - "$here/../../configs/cluster/kubernetes.yaml" <<'END'
import os, subprocess, sys, yaml
job = yaml.safe_load(open(sys.argv[1]))
spec = job["spec"]
assert (job["apiVersion"], job["kind"], spec["completionMode"]) == ("batch/v1", "Job", "Indexed")
pod = spec["template"]["spec"]
(container,) = pod["containers"]
env = {e["name"]: e["value"] for e in container["env"]}
assert int(env["SHARDS"]) == spec["completions"] == spec["parallelism"], "as many shards as pods"
mounts = {m["name"]: m["mountPath"] for m in container["volumeMounts"]}
assert set(mounts) == {v["name"] for v in pod["volumes"]}
words = container["command"] + container["args"]
for name, path in mounts.items():  # the volumes are folders here
    words = [w.replace(path + "/", name + "/") for w in words]
for index in range(spec["completions"]):
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, **env, "JOB_COMPLETION_INDEX": str(index)})
END
selfplay merge --out merged.db games/shard-*.db >merge.txt
grep -q '^complete' merge.txt
same_games whole.db merged.db
echo "64 pods: $(sed -n 1p merge.txt)"
