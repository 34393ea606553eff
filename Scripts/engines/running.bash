# Functions for Scripts/start-object-store and the scripts beside this one, each of which starts one engine.
#
# They share the variables `folder`, the engine's files; `process`, the process started last; and `url`, the endpoint.

# Not empty if the engine makes the bucket by itself.
has_bucket=

# Creates the folder, and starts a guard that ends all processes and removes all files when this script ends.
#
# The guard is in a session of its own and waits for the end of its input, so it outlives whatever kills this script.
start_guard() {
    folder=$(mktemp -d)
    export TMPDIR=$folder
    : >"$folder/processes" >"$folder/leftovers"
    exec {life}> >(exec setsid bash -c '
        trap "" HUP INT TERM
        read -r
        cd "$0"
        for process in $(cat processes); do kill -KILL "$process"; done
        rm -f $(cat leftovers)
        cd /
        # A process that is ending may still write.
        until rm -rf "$0"; do sleep 0.05; done
    ' "$folder" >/dev/null 2>&1)
    guard=$!
    trap 'exec {life}>&-; wait "$guard" 2>/dev/null || true' EXIT
}

# Runs a command in the background. Its output is NAME.log.
#
#   run NAME COMMAND...
run() {
    # The guard and PDEATHSIG both end it; the latter at once.
    setpriv --pdeathsig KILL "${@:2}" </dev/null >"$folder/$1.log" 2>&1 {life}>&- &
    process=$!
    echo "$process" >>"$folder/processes"
    # Otherwise the shell reports its end.
    disown
}

# Runs a command to its end, for a minute at most, and exits if it fails. Its output is in prepare.log.
#
#   prepare COMMAND...
prepare() {
    setpriv --pdeathsig KILL timeout 60 setpriv --pdeathsig KILL "$@" >>"$folder/prepare.log" 2>&1 {life}>&- || fail
}

# Whether the process started last is running.
is_running() { kill -0 "$process" 2>/dev/null; }

# Prints the ends of all logs, and exits.
fail() {
    echo "$engine does not start" >&2
    tail -n 5 "$folder"/*.log >&2
    exit 1
}

# Sets the array `ports` to COUNT free ports. Those higher by DISTANCE are free as well.
#
#   find_ports COUNT [DISTANCE]
find_ports() {
    mapfile -t ports < <(python3 -c '
import random, socket, sys
count, distance = map(int, sys.argv[1:])
ports = []
while len(ports) < count:
    port = random.randrange(20000, 30000)
    try:
        for number in {port, port + distance}: socket.create_server(("127.0.0.1", number)).close()
    except OSError: continue
    if port not in ports: ports.append(port)
print(*ports, sep="\n")' "$1" "${2:-0}")
}

# Sends a signed request, and fails unless it succeeds.
#
#   s3 METHOD PATH [BODY]
s3() { python3 "$scripts/s3.py" "$url" "$@" {life}>&-; }
