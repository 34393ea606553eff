# rclone, which serves the files of a folder.

commands=rclone

start() {
    find_ports 1
    url=http://127.0.0.1:${ports[0]}
    mkdir "$folder/objects"
    export RCLONE_AUTH_KEY="\"$AWS_ACCESS_KEY_ID,$AWS_SECRET_ACCESS_KEY\""
    run rclone rclone serve s3 --config "" --cache-dir "$folder/cache" --addr "127.0.0.1:${ports[0]}" "$folder/objects"
}
