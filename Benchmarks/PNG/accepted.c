// Counts the damaged zlib streams that an inflater accepts although zlib rejects them, and the reverse. In this folder:
//
//   clang -O2 -I../../Sources/CPNG accepted.c ../../Sources/CPNG/{inflate,huffman}.c -lisal -ldeflate -lz -o accepted
//   ./accepted COUNT
//
// Each stream is compressed with random parameters, and up to three of its bits are inverted, most of them in its first
// 90 bytes, or its end is cut off. If ISA-L then only complains about the checksum, the stream is tried again with the
// checksum of what it has inflated: most damage would otherwise be noticed by the checksum alone.
#include "inflate.h"

#include <isa-l.h>
#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { capacity = 1 << 18 };

typedef struct {
    uint8_t bytes[capacity];
    size_t count;
} buffer;

// Returns whether the stream is complete and valid. Sets `output`.
typedef int inflating(const buffer *stream, buffer *output);

static uint32_t state;

static uint32_t number(uint32_t bound) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state % bound;
}

static void fill(buffer *plain) {
    unsigned kind = number(3);
    plain->count = 1 + number(3000);
    for (size_t n = 0; n < plain->count; n++) {
        int is_copy = n > 100 && number(8);
        plain->bytes[n] = kind == 0 ? number(256) : kind == 1 ? n % 251 : is_copy ? plain->bytes[n - 1 - number(90)] : number(20);
    }
}

static void compress_randomly(buffer *plain, buffer *stream) {
    z_stream zlib = {.next_in = plain->bytes, .avail_in = plain->count, .next_out = stream->bytes, .avail_out = capacity};
    deflateInit2(&zlib, number(10), Z_DEFLATED, 15, 1 + number(9), number(5));
    deflate(&zlib, Z_FINISH);
    stream->count = zlib.total_out;
    deflateEnd(&zlib);
}

static void damage(buffer *stream) {
    for (unsigned n = number(4); n; n--) {
        size_t range = number(3) && stream->count > 90 ? 90 : stream->count;
        stream->bytes[number(range)] ^= 1 << number(8);
    }
    if (!number(4)) stream->count = 1 + number(stream->count);
    memcpy(stream->bytes, "\x78\x9c", 2);
}

static int by_zlib(const buffer *stream, buffer *output) {
    z_stream zlib = {
        .next_in = (Bytef *)stream->bytes, .avail_in = stream->count, .next_out = output->bytes, .avail_out = capacity};
    inflateInit(&zlib);
    int result = inflate(&zlib, Z_NO_FLUSH);
    output->count = zlib.total_out;
    inflateEnd(&zlib);
    return result == Z_STREAM_END;
}

static int by_libdeflate(const buffer *stream, buffer *output) {
    struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
    int result = libdeflate_zlib_decompress(
        decompressor, stream->bytes, stream->count, output->bytes, capacity, &output->count);
    libdeflate_free_decompressor(decompressor);
    return result == LIBDEFLATE_SUCCESS;
}

static int isal_result;

static int by_isal(const buffer *stream, buffer *output) {
    static struct inflate_state isal;
    isal_inflate_init(&isal);
    isal.crc_flag = ISAL_ZLIB;
    isal.next_in = (uint8_t *)stream->bytes;
    isal.avail_in = stream->count;
    isal.next_out = output->bytes;
    isal.avail_out = capacity;
    isal_result = isal_inflate(&isal);
    output->count = capacity - isal.avail_out;
    return isal_result == ISAL_DECOMP_OK && isal.block_state == ISAL_BLOCK_FINISH;
}

struct rest {
    const uint8_t *next;
    size_t count;
};

static size_t feed(void *context, uint8_t *target, size_t count) {
    struct rest *rest = context;
    if (count > rest->count) count = rest->count;
    memcpy(target, rest->next, count);
    rest->next += count;
    rest->count -= count;
    return count;
}

static int by_cpng(const buffer *stream, buffer *output) {
    struct rest rest = {stream->bytes, stream->count};
    inflater *inflater = inflater_create(1, feed, &rest);
    const uint8_t *byte;
    for (output->count = 0; output->count < capacity && (byte = inflater_take(inflater, 1));)
        output->bytes[output->count++] = *byte;
    int ends = inflater_ends(inflater);
    inflater_destroy(inflater);
    return ends;
}

static const struct {
    const char *name;
    inflating *inflate;
} inflaters[] = {{"CPNG", by_cpng}, {"libdeflate", by_libdeflate}, {"ISA-L", by_isal}};

static struct {
    long accepted, rejected, different;
} counts[3];
static long stream_count, valid_count;

static void try(const buffer *stream) {
    static buffer expected, output;
    int is_valid = by_zlib(stream, &expected);
    stream_count++;
    valid_count += is_valid;
    for (int n = 0; n < 3; n++) {
        int is_accepted = inflaters[n].inflate(stream, &output);
        counts[n].accepted += is_accepted && !is_valid;
        counts[n].rejected += !is_accepted && is_valid;
        counts[n].different += is_accepted && is_valid &&
            (output.count != expected.count || memcmp(output.bytes, expected.bytes, output.count));
    }
}

static void mend_checksum(buffer *stream) {
    static buffer output;
    by_isal(stream, &output);
    if (isal_result != ISAL_INCORRECT_CHECKSUM || stream->count < 6) return;
    uint32_t sum = adler32(1, output.bytes, output.count);
    for (int n = 0; n < 4; n++) stream->bytes[stream->count - 4 + n] = sum >> (24 - 8 * n) & 255;
    try(stream);
}

int main(int argument_count, char **arguments) {
    static buffer plain, stream;
    for (long n = 1; argument_count > 1 && n <= atol(arguments[1]); n++) {
        state = n * 2654435761u + 1;
        fill(&plain);
        compress_randomly(&plain, &stream);
        damage(&stream);
        try(&stream);
        mend_checksum(&stream);
    }
    printf("%ld streams, %ld valid according to zlib\n", stream_count, valid_count);
    for (int n = 0; n < 3; n++)
        printf("%-10s accepts %ld that zlib rejects, rejects %ld that zlib accepts, inflates %ld otherwise\n", inflaters[n].name,
               counts[n].accepted, counts[n].rejected, counts[n].different);
}
