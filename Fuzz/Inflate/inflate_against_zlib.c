// Compares the inflater of CPNG with zlib on inputs of libFuzzer. In this folder, with the clang next to swift:
//
//   clang -g -O1 -fsanitize=fuzzer,address,undefined -I../../Sources/CPNG inflate_against_zlib.c \
//       ../../Sources/CPNG/inflate.c ../../Sources/CPNG/huffman.c -lz -ldeflate -o inflate_against_zlib
//   ./make_streams CORPUS && ./inflate_against_zlib -max_total_time=600 -max_len=300000 CORPUS
//
// The first byte determines how many bytes are taken at a time, the second whether the stream gets a valid header, the
// third and fourth the portions of input and output; the rest is the stream. All output of the inflater must equal that
// of zlib, and a complete stream must be inflated completely. `README.md` in the parent folder lists the paths that are
// reached.
#include "inflate.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { capacity = 1 << 20, slack = 32 };

struct stream {
    const uint8_t *next;
    size_t left;
};

static size_t feed(void *context, uint8_t *target, size_t count) {
    struct stream *stream = context;
    if (count > stream->left) count = stream->left;
    memcpy(target, stream->next, count);
    stream->next += count;
    stream->left -= count;
    return count;
}

// Inflates with zlib. Returns the number of bytes, and whether the stream was complete.
static size_t expected_count(uint8_t *target, uint8_t *bytes, size_t count, int *is_whole) {
    z_stream stream = {.next_in = bytes, .avail_in = (uInt)count, .next_out = target, .avail_out = capacity};
    int result = inflateInit(&stream);
    while (result == Z_OK && stream.avail_out && stream.avail_in) result = inflate(&stream, Z_NO_FLUSH);
    *is_whole = result == Z_STREAM_END;
    inflateEnd(&stream);
    return capacity - stream.avail_out;
}

static void require(int condition) {
    if (!condition) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 7) return 0;
    size_t row = 1 + data[0] * 7 + (data[1] & 3) * 1000, count = size - 4, taken = 0;
    uint8_t *bytes = malloc(count), *expected = malloc(capacity);
    memcpy(bytes, data + 4, count);
    if (data[1] & 128) memcpy(bytes, "\x78\x9c", 2);
    int is_whole;
    size_t expected_size = expected_count(expected, bytes, count, &is_whole);
    struct stream stream = {bytes, count};
    inflater *inflater = inflater_create(row, feed, &stream);
    // Portion sizes without common divisors put splits at every byte. 255 keeps the default portions.
    if (data[2] < 255) inflater_use_small_portions(inflater, 1032 + data[2] % 67, 1 + (size_t)data[3] * data[3]);
    const uint8_t *part;
    while (taken + row <= capacity && (part = inflater_take(inflater, row))) {
        require(taken + row <= expected_size && !memcmp(part, expected + taken, row));
        volatile uint8_t last = part[row + slack - 1];  // must be readable
        (void)last;
        taken += row;
    }
    require(!is_whole || taken / row == expected_size / row);
    if (taken == expected_size && taken + row <= capacity) require(inflater_ends(inflater) == is_whole);
    inflater_destroy(inflater);
    free(expected);
    free(bytes);
    return 0;
}
