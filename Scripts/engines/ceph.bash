# Ceph: one monitor, one OSD that keeps everything in memory, and the RADOS gateway.

commands="ceph ceph-mon ceph-osd radosgw radosgw-admin ceph-authtool monmaptool"

start() {
    find_ports 2 1
    url=http://127.0.0.1:${ports[0]}
    cluster=$(</proc/sys/kernel/random/uuid)
    monitor="[v2:127.0.0.1:${ports[1]},v1:127.0.0.1:$((ports[1] + 1))]"
    write_configuration
    make_keys
    prepare monmaptool --create --fsid "$cluster" --addv a "$monitor" "$folder/monitors"
    prepare ceph-mon --mkfs --id a --monmap "$folder/monitors" --keyring "$folder/keys"
    run monitor ceph-mon --id a --foreground
    local osd
    osd=$(</proc/sys/kernel/random/uuid)
    prepare ceph osd new "$osd"
    prepare ceph-osd --id 0 --mkfs --osd-uuid "$osd"
    run osd ceph-osd --id 0 --foreground
    prepare radosgw-admin user create --uid=darkroom --display-name=darkroom --access-key="$AWS_ACCESS_KEY_ID" \
        --secret-key="$AWS_SECRET_ACCESS_KEY"
    run gateway radosgw --name client.gateway --foreground
}

make_keys() {
    local keys=$folder/keys
    prepare ceph-authtool --create-keyring "$keys" --gen-key --name mon. --cap mon 'allow *'
    prepare ceph-authtool "$keys" --gen-key --name client.admin --cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *'
    prepare ceph-authtool "$keys" --gen-key --name osd.0 --cap mon 'allow profile osd' --cap osd 'allow *'
    prepare ceph-authtool "$keys" --gen-key --name client.gateway --cap mon 'allow rw' --cap osd 'allow rwx'
}

# Without `tcp_nodelay`, a GET takes 44 ms.
write_configuration() {
    export CEPH_CONF=$folder/ceph.conf
    mkdir "$folder"/{monitor,osd,gateway,run}
    cat >"$CEPH_CONF" <<CONFIGURATION
[global]
fsid = $cluster
mon host = $monitor
mon initial members = a
public addr = 127.0.0.1
cluster addr = 127.0.0.1
keyring = $folder/keys
run dir = $folder/run
admin socket = $folder/run/\$name.asok
log file = $folder/\$name.log
mon data = $folder/monitor
mon data avail crit = 1
mon max pg per osd = 2000
osd data = $folder/osd
osd objectstore = memstore
memstore device bytes = 2147483648
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pgp num = 4
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
rgw data = $folder/gateway
rgw frontends = beast endpoint=${url#http://} tcp_nodelay=1
CONFIGURATION
}
