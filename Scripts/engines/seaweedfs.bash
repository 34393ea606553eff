# SeaweedFS in one process.

commands=weed
has_bucket=yes

start() {
    # Those for gRPC are higher by 10,000.
    find_ports 5 10000
    for port in "${ports[@]}"; do
        echo "/tmp/seaweedfs-*-$port.sock /tmp/seaweedfs-*-$((port + 10000)).sock" >>"$folder/leftovers"
    done
    url=http://127.0.0.1:${ports[3]}
    run weed weed mini -dir="$folder" -ip=127.0.0.1 -ip.bind=127.0.0.1 -bucket=darkroom \
        -webdav=false -admin.ui=false -master.telemetry=false -s3.port.iceberg=0 -s3.port.lance=0 \
        -master.port="${ports[0]}" -volume.port="${ports[1]}" -filer.port="${ports[2]}" -s3.port="${ports[3]}" \
        -admin.port="${ports[4]}"
}
