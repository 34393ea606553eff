// Compares the two decoders of CJPEG at an eighth and a quarter of the size on inputs of libFuzzer. In this folder, with
// the clang next to swift:
//
//   clang -g -O1 -fsanitize=fuzzer,address,undefined -DREDUCED_CHUNK_CAPACITY=1544 -I../../Sources/CJPEG/include \
//       reduced_against_libjpeg.c random_file.c ../../Sources/CJPEG/*.c -ljpeg -o reduced_against_libjpeg
//   ./reduced_against_libjpeg -max_total_time=600 -max_len=16384 CORPUS
//
// Status, message, pixels, and whether libjpeg found damage must be equal, also when the rows are read in other
// portions. At exit, it prints how many files were decoded without libjpeg.
//
// Most mutations by libFuzzer are irregular in their first row. So half of the inputs are valid files instead, most of
// them with a few bits of the entropy-coded data flipped, which often decode to the end.
#include "CJPEG.h"
#include "random_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { max_pixel_count = 1 << 20, guard_count = 16, guard = 0xA5, max_eighths = 2 };

struct outcome {
    CJPEGStatus status;
    bool is_damaged, is_truncated, bypasses_libjpeg;
    uint32_t row_count;
    char message[256];
    uint8_t *pixels;
    size_t byte_count;
};

static unsigned long file_count, bypass_counts[max_eighths + 1];

__attribute__((destructor)) static void report(void) {
    for (int eighths = 1; eighths <= max_eighths; eighths++) {
        fprintf(stderr, "%lu of %lu files without libjpeg at %d/8\n", bypass_counts[eighths], file_count, eighths);
    }
}

static void require(int condition) {
    if (!condition) abort();
}

static bool is_cancelled(void *context) { return false; }

/// How a file is decoded.
struct way {
    int eighths;
    size_t bypass_byte_count;
    /// The number of rows in a call.
    uint32_t portion;
};

static void read_all(CJPEGDecoder *decoder, const CJPEGHeader *header, const struct way *way, struct outcome *outcome) {
    uint32_t eighths = (uint32_t)way->eighths, portion = way->portion;
    uint32_t width = (header->width * eighths + 7) / 8, height = (header->height * eighths + 7) / 8;
    outcome->byte_count = (size_t)width * height * 4;
    outcome->pixels = malloc(outcome->byte_count + guard_count);
    memset(outcome->pixels, 0, outcome->byte_count);
    memset(outcome->pixels + outcome->byte_count, guard, guard_count);
    for (uint32_t row = 0; row < height && outcome->status == CJPEGStatusDone; row = cjpeg_decoder_row_count(decoder)) {
        uint32_t count = height - row < portion ? height - row : portion;
        outcome->status = cjpeg_decoder_read_rows(decoder, outcome->pixels + (size_t)row * width * 4, count);
    }
    for (int index = 0; index < guard_count; index++) require(outcome->pixels[outcome->byte_count + index] == guard);
}

static struct outcome decode(const uint8_t *bytes, size_t count, const struct way *way) {
    struct outcome outcome = {0};
    CJPEGHeader header;
    CJPEGDecoder *decoder = cjpeg_decoder_create(false);
    cjpeg_decoder_lend(decoder, bytes, count);
    outcome.status = cjpeg_decoder_read_header(decoder, &header);
    bool is_small = outcome.status == CJPEGStatusDone && (size_t)header.width * header.height <= max_pixel_count;
    if (is_small && header.coefficient_byte_count == 0) {
        CJPEGDecodeOptions options = {
            .eighths = way->eighths,
            .scan_limit = 4,
            .bypass_byte_count = way->bypass_byte_count,
            .is_cancelled = is_cancelled,
        };
        outcome.status = cjpeg_decoder_start(decoder, &options);
        if (outcome.status == CJPEGStatusDone) read_all(decoder, &header, way, &outcome);
    }
    if (outcome.status == CJPEGStatusDone) {
        outcome.is_damaged = cjpeg_decoder_is_damaged(decoder);
        outcome.is_truncated = cjpeg_decoder_is_truncated(decoder);
        outcome.row_count = cjpeg_decoder_row_count(decoder);
    }
    outcome.bypasses_libjpeg = cjpeg_decoder_bypasses_libjpeg(decoder);
    snprintf(outcome.message, sizeof outcome.message, "%s", cjpeg_decoder_message(decoder));
    cjpeg_decoder_destroy(decoder);
    return outcome;
}

static void compare(const uint8_t *data, size_t size, int eighths) {
    struct way with_libjpeg = {eighths, SIZE_MAX, 16}, without = {eighths, 0, 1 + (size & 7)};
    struct outcome expected = decode(data, size, &with_libjpeg), actual = decode(data, size, &without);
    bypass_counts[eighths] += actual.bypasses_libjpeg;
    require(!expected.bypasses_libjpeg);
    require(actual.status == expected.status && !strcmp(actual.message, expected.message));
    require(actual.is_damaged == expected.is_damaged && actual.is_truncated == expected.is_truncated);
    require(actual.row_count == expected.row_count && actual.byte_count == expected.byte_count);
    bool is_done = expected.status == CJPEGStatusDone && expected.byte_count > 0;
    require(!is_done || !memcmp(actual.pixels, expected.pixels, expected.byte_count));
    free(actual.pixels);
    free(expected.pixels);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    file_count++;
    for (int eighths = 1; eighths <= max_eighths; eighths++) compare(data, size, eighths);
    return 0;
}

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/// Returns the index after the header of the first scan, or `size` if there is none.
static size_t scan_start(const uint8_t *data, size_t size) {
    for (size_t index = 0; index + 4 < size; index++) {
        if (data[index] == 0xFF && data[index + 1] == 0xDA) return index + 2 + (data[index + 2] << 8 | data[index + 3]);
    }
    return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
    if (seed % 2 == 0) return LLVMFuzzerMutate(data, size, max_size);
    uint64_t random = seed;
    size_t count = write_random_file(data, max_size, seed), start = scan_start(data, count);
    if (start >= count) return LLVMFuzzerMutate(data, size, max_size);
    for (unsigned flips = seed / 2 % 4; flips > 0; flips--) {
        random = random * 6364136223846793005 + 1442695040888963407;
        data[start + (random >> 35) % (count - start)] ^= (uint8_t)(1 << (random >> 32 & 7));
    }
    return count;
}
