// Writes seed streams for `inflate_against_zlib`, long and short ones, with all kinds of blocks. In this folder:
//
//   clang make_streams.c -lz -o make_streams && ./make_streams CORPUS
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { plain_count = 200000, short_count = 300, head_count = 4 };

// Bytes with near repetitions, distant repetitions, or none.
static void fill(uint8_t *plain, unsigned kind) {
    uint32_t random = kind * 2654435761u + 1;
    for (size_t n = 0; n < plain_count; n++) {
        random = random * 1664525 + 1013904223;
        unsigned choice = random >> 28;
        if (kind == 0) plain[n] = (uint8_t)(random >> 16);
        else if (kind == 1) plain[n] = (uint8_t)(n % 251);
        else if (choice < 9 && n > 32000) plain[n] = plain[n - 31000 - choice * 80];
        else plain[n] = (uint8_t)((random >> 20 & 15) + 16 * (n / 3000 % 16));
    }
}

int main(int argc, char **argv) {
    static uint8_t plain[plain_count], packed[2 * plain_count + head_count];
    static const int levels[] = {0, 1, 9}, strategies[] = {Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY};
    if (argc < 2) return 1;
    // The second half of the streams is short, so that every prefix is tried.
    for (unsigned index = 0; index < 54; index++) {
        z_stream stream = {0};
        fill(plain, index % 3);
        if (deflateInit2(&stream, levels[index / 3 % 3], Z_DEFLATED, 15, 8, strategies[index / 9 % 3]) != Z_OK) return 1;
        stream.next_in = plain;
        stream.avail_in = index < 27 ? plain_count : short_count;
        stream.next_out = packed + head_count;
        stream.avail_out = sizeof packed - head_count;
        if (deflate(&stream, Z_FINISH) != Z_STREAM_END) return 1;
        size_t count = head_count + stream.total_out;
        deflateEnd(&stream);
        // Some with default portions, some with small ones.
        memcpy(packed, (uint8_t[]){(uint8_t)(index * 9), (uint8_t)(index & 3), index % 4 ? index * 5 : 255, index * 8}, 4);
        char path[4096];
        snprintf(path, sizeof path, "%s/stream-%u", argv[1], index);
        FILE *file = fopen(path, "wb");
        if (!file || fwrite(packed, 1, count, file) != count || fclose(file)) return 1;
    }
    return 0;
}
