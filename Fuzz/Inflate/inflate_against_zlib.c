// Compares the inflater of CPNG with zlib on inputs of libFuzzer, and on prefixes of each. `README.md` in the parent
// folder tells how to build and run it.
//
// The first byte determines how many bytes are taken at a time, the second whether the stream gets a valid header, the
// third and fourth the portions of input and output; the rest is the stream. The inflated bytes, the kind of end
// (complete, truncated or invalid), and the length of a complete stream must equal those of zlib.
#include "inflate.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { capacity = 1 << 20, slack = 32, max_size = 1 << 19 };
// The number of bytes of which every prefix is tried; of a longer stream, this many prefixes are.
enum { all_prefixes_count = 256, prefix_count = 12 };

// The results of zlib for all prefixes, by their lengths.
struct result {
    size_t produced, used;
    inflater_end end;
} results[max_size + 1];
static uint8_t expected[capacity];

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

static void require(int condition) {
    if (!condition) abort();
}

// Inflates with zlib, byte by byte. Returns 0 if the output is too long.
static int expect(uint8_t *bytes, size_t count) {
    z_stream stream = {.next_out = expected, .avail_out = capacity};
    inflater_end end = INFLATER_TRUNCATED;
    inflateInit(&stream);
    results[0] = (struct result){0, 0, end};
    for (size_t n = 0; n < count; n++) {
        if (end == INFLATER_TRUNCATED) {
            stream.next_in = bytes + n;
            stream.avail_in = 1;
            int code = inflate(&stream, Z_NO_FLUSH);
            if (code == Z_STREAM_END) end = INFLATER_ENDED;
            else if (code != Z_OK && code != Z_BUF_ERROR) end = INFLATER_INVALID;
        }
        results[n + 1] = (struct result){stream.total_out, stream.total_in, end};
    }
    inflateEnd(&stream);
    return stream.avail_out > 0;
}

// Inflates a prefix, `row` bytes at a time and then the rest.
static void compare(const uint8_t *data, const uint8_t *bytes, size_t count) {
    size_t row = 1 + data[0] * 7 + (data[1] & 3) * 1000, taken = 0;
    // A copy in which reading beyond the end is detected.
    uint8_t *copy = malloc(count);
    memcpy(copy, bytes, count);
    struct stream stream = {copy, count};
    struct result result = results[count];
    inflater *inflater = inflater_create(row, feed, &stream);
    // Portion sizes without common divisors put splits at every byte. 255 keeps the default portions.
    if (data[2] < 255) inflater_use_small_portions(inflater, 1032 + data[2] % 67, 1 + (size_t)data[3] * data[3]);
    const uint8_t *part;
    for (size_t size = row;; taken += size) {
        part = inflater_take(inflater, size);
        if (!part && size == 1) break;
        if (!part) part = inflater_take(inflater, size = 1);
        if (!part) break;
        require(taken + size <= result.produced && !memcmp(part, expected + taken, size));
        volatile uint8_t last = part[size + slack - 1];  // must be readable
        (void)last;
    }
    require(taken == result.produced);
    require(inflater_ends(inflater) == (result.end == INFLATER_ENDED));
    require(inflater_result(inflater) == result.end);
    if (result.end == INFLATER_ENDED) require(inflater_used_count(inflater) == result.used);
    inflater_destroy(inflater);
    free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 7 || size > max_size) return 0;
    size_t count = size - 4;
    uint8_t *bytes = malloc(count);
    memcpy(bytes, data + 4, count);
    if (data[1] & 128) memcpy(bytes, "\x78\x9c", 2);
    if (expect(bytes, count)) {
        compare(data, bytes, count);
        uint32_t random = (uint32_t)count;
        for (size_t n = 0; n < (count <= all_prefixes_count ? count : prefix_count); n++) {
            random = random * 1664525 + 1013904223 + data[n % size];
            // Half of the prefixes of a long stream lack only its end.
            size_t range = n % 2 && count > 64 ? 64 : count;
            compare(data, bytes, count <= all_prefixes_count ? n : count - 1 - (random >> 8) % range);
        }
    }
    free(bytes);
    return 0;
}
