#include "deflater.h"

#include <libdeflate.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

// The least room for output offered to zlib.
#define ROOM ((size_t)1 << 16)

struct deflater {
    int level, memory_level;
    // Raw streams of zlib: one for measuring, which only finds runs, and the one that is written.
    z_stream trial, stream;
    int has_trial, has_stream, strategy, has_header;
    struct libdeflate_compressor *compressor;
    uint32_t checksum;
    uint8_t *output;
    size_t count, capacity;
};

// Returns the level of libdeflate. From level 4 on, zlib's output is smaller than libdeflate's at the same level. From 10
// on, libdeflate weighs all ways to write a match.
static int matching_level(int level, int is_thorough) {
    if (is_thorough && level) return level < 5 ? 10 : level < 9 ? 11 : 12;
    return level < 4 ? level : level + 1;
}

deflater *deflater_create(int level, size_t step, int is_thorough) {
    deflater *deflater = calloc(1, sizeof *deflater);
    if (!deflater) return NULL;
    deflater->level = is_thorough && level && level < 6 ? 6 : level;
    // Blocks of 32,768 symbols; of 16,384 if each is a pixel.
    deflater->memory_level = step == 1 ? 8 : 9;
    deflater->checksum = libdeflate_adler32(0, NULL, 0);
    deflater->compressor = libdeflate_alloc_compressor(matching_level(level, is_thorough));
    if (deflater->compressor) return deflater;
    deflater_destroy(deflater);
    return NULL;
}

void deflater_destroy(deflater *deflater) {
    if (!deflater) return;
    if (deflater->has_trial) deflateEnd(&deflater->trial);
    if (deflater->has_stream) deflateEnd(&deflater->stream);
    libdeflate_free_compressor(deflater->compressor);
    free(deflater->output);
    free(deflater);
}

// Makes room for `count` more bytes. The capacity doubles, so that a long stream is not copied often.
static int reserve(deflater *deflater, size_t count) {
    if (count <= deflater->capacity - deflater->count) return 1;
    if (count > SIZE_MAX / 4 - deflater->capacity) return 0;
    size_t capacity = 2 * deflater->capacity + count;
    uint8_t *output = realloc(deflater->output, capacity);
    if (!output) return 0;
    deflater->output = output;
    deflater->capacity = capacity;
    return 1;
}

static int append(deflater *deflater, const void *bytes, size_t count) {
    if (!reserve(deflater, count)) return 0;
    memcpy(deflater->output + deflater->count, bytes, count);
    deflater->count += count;
    return 1;
}

static int strategy(search search) {
    return search == SEARCH_RUNS ? Z_RLE : search == SEARCH_FILTERED ? Z_FILTERED : Z_DEFAULT_STRATEGY;
}

static int start(const deflater *deflater, z_stream *stream, int strategy) {
    // A negative number of window bits means a stream without header and trailer.
    return deflateInit2(stream, deflater->level, Z_DEFLATED, -MAX_WBITS, deflater->memory_level, strategy) == Z_OK;
}

// Offers the free output to `stream`. Returns the number of bytes offered, or 0 when memory is exhausted.
static uInt offer(deflater *deflater, z_stream *stream) {
    if (!reserve(deflater, ROOM)) return 0;
    size_t room = deflater->capacity - deflater->count;
    stream->next_out = deflater->output + deflater->count;
    stream->avail_out = room < UINT_MAX ? (uInt)room : UINT_MAX;
    return stream->avail_out;
}

static int run(deflater *deflater, z_stream *stream, portion portion, int flush) {
    stream->next_in = (Bytef *)portion.bytes;
    stream->avail_in = (uInt)portion.count;
    do {
        uInt room = offer(deflater, stream);
        if (!room || deflate(stream, flush) == Z_STREAM_ERROR) return 0;
        deflater->count += room - stream->avail_out;
    } while (!stream->avail_out);
    return 1;
}

// Prepares the stream for a portion.
static int select_strategy(deflater *deflater, int strategy) {
    if (deflater->has_stream && deflater->strategy == strategy) return 1;
    deflater->strategy = strategy;
    if (!deflater->has_stream) return deflater->has_stream = start(deflater, &deflater->stream, strategy);
    // After this, changing the strategy writes nothing.
    if (!run(deflater, &deflater->stream, (portion){0}, Z_BLOCK) || !offer(deflater, &deflater->stream)) return 0;
    return deflateParams(&deflater->stream, deflater->level, strategy) == Z_OK;
}

// Compresses a whole deflate stream with libdeflate.
static int match(deflater *deflater, portion portion) {
    if (!reserve(deflater, libdeflate_deflate_compress_bound(deflater->compressor, portion.count))) return 0;
    size_t count = libdeflate_deflate_compress(
        deflater->compressor, portion.bytes, portion.count, deflater->output + deflater->count,
        deflater->capacity - deflater->count);
    deflater->count += count;
    return count != 0;
}

static int find_runs(deflater *deflater, portion portion) {
    if (deflater->has_trial) deflateReset(&deflater->trial);
    else deflater->has_trial = start(deflater, &deflater->trial, Z_RLE);
    return deflater->has_trial && run(deflater, &deflater->trial, portion, Z_FINISH);
}

size_t deflater_measure(deflater *deflater, search search, portion portion) {
    size_t start = deflater->count;
    int is_done = (search == SEARCH_RUNS ? find_runs : match)(deflater, portion);
    size_t count = deflater->count - start;
    deflater->count = start;
    return is_done ? count : 0;
}

// Starts the stream unless it has been started, and adds `portion` to the checksum.
static int begin(deflater *deflater, portion portion) {
    deflater->checksum = libdeflate_adler32(deflater->checksum, portion.bytes, portion.count);
    if (deflater->has_header) return 1;
    // A window of 32,768 bytes, and the usual level.
    return deflater->has_header = append(deflater, "\x78\x9C", 2);
}

static int end(deflater *deflater) {
    uint32_t sum = deflater->checksum;
    return append(deflater, (uint8_t[]){sum >> 24, sum >> 16 & 255, sum >> 8 & 255, sum & 255}, 4);
}

int deflater_add(deflater *deflater, search search, portion portion) {
    return begin(deflater, portion) && select_strategy(deflater, strategy(search)) &&
           run(deflater, &deflater->stream, portion, Z_NO_FLUSH);
}

int deflater_add_last(deflater *deflater, search search, portion portion) {
    int is_only = !deflater->has_stream;
    if (!begin(deflater, portion)) return 0;
    size_t start = deflater->count;
    // libdeflate is faster, but can only compress a whole stream.
    if (is_only && search != SEARCH_RUNS) return match(deflater, portion) && end(deflater);
    if (!select_strategy(deflater, strategy(search)) || !run(deflater, &deflater->stream, portion, Z_FINISH)) return 0;
    // Readers reject chunks that are much larger than the pixels. Unlike zlib with large blocks, libdeflate adds only a
    // few bytes to noise.
    if (is_only && deflater->count - start > portion.count) {
        deflater->count = start;
        if (!match(deflater, portion)) return 0;
    }
    return end(deflater);
}

portion deflater_take(deflater *deflater) {
    portion taken = {deflater->output, deflater->count};
    deflater->count = 0;
    return taken;
}
