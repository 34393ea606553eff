# OpenStack Swift with its S3 middleware: one server of each kind, one replica, and memcached.

commands="swift-proxy-server swift-account-server swift-container-server swift-object-server memcached"

start() {
    find_ports 5
    url=http://127.0.0.1:${ports[0]}
    mkdir -p "$folder/devices/d1" "$folder/cache"
    make_rings
    write_configuration
    run memcached memcached -u "$(id -un)" -l 127.0.0.1 -p "${ports[4]}" -m 64
    local kind
    for kind in account container object proxy; do run "$kind" "swift-$kind-server" "$folder/$kind.conf"; done
}

# Swift's own command would start nine times.
make_rings() {
    prepare /usr/bin/python3 -c '
import sys
from swift.common.ring import RingBuilder

folder, *ports = sys.argv[1:]
for kind, port in zip(("account", "container", "object"), map(int, ports)):
    builder = RingBuilder(part_power=4, replicas=1, min_part_hours=0)
    builder.add_dev({
        "region": 1, "zone": 1, "ip": "127.0.0.1", "port": port, "device": "d1", "weight": 1,
        "replication_ip": "127.0.0.1", "replication_port": port, "meta": ""})
    builder.rebalance()
    builder.get_ring().save(f"{folder}/{kind}.ring.gz")' "$folder" "${ports[@]:1:3}"
}

write_configuration() {
    export SWIFT_CONF_DIR=$folder
    printf '%s\n' '[swift-hash]' 'swift_hash_path_prefix = darkroom' 'swift_hash_path_suffix = darkroom' \
        '[storage-policy:0]' 'name = one' 'default = yes' >"$folder/swift.conf"
    local number=0 kind
    for kind in proxy account container object; do
        printf '%s\n' '[DEFAULT]' 'bind_ip = 127.0.0.1' "bind_port = ${ports[number]}" "user = $(id -un)" \
            "swift_dir = $folder" "devices = $folder/devices" 'mount_check = false' 'workers = 0' \
            'log_level = WARNING' "recon_cache_path = $folder/cache" >"$folder/$kind.conf"
        number=$((number + 1))
    done
    for kind in account container object; do
        printf '%s\n' '[pipeline:main]' "pipeline = $kind-server" "[app:$kind-server]" "use = egg:swift#$kind" \
            >>"$folder/$kind.conf"
    done
    # A user is an account and a name.
    cat >>"$folder/proxy.conf" <<CONFIGURATION
[pipeline:main]
pipeline = catch_errors cache s3api tempauth slo versioned_writes proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${ports[4]}
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_${AWS_ACCESS_KEY_ID/:/_} = $AWS_SECRET_ACCESS_KEY .admin
[filter:slo]
use = egg:swift#slo
[filter:versioned_writes]
use = egg:swift#versioned_writes
allow_versioned_writes = true
CONFIGURATION
}
