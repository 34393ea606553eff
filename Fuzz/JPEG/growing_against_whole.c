// Decodes inputs of libFuzzer as growing files, and compares the result with that of the whole file. In this folder, with
// the clang next to swift:
//
//   clang -g -O1 -fsanitize=fuzzer,address,undefined -I../../Sources/CJPEG/include \
//       growing_against_whole.c ../../Sources/CJPEG/*.c -ljpeg -o growing_against_whole
//   ./growing_against_whole -max_total_time=180 -max_len=8000 CORPUS
//
// The corpus are files, for example those of Tests/Fixtures. Each part of a file is lent at an address of its own, which is
// freed when the next one is lent. If the decoder reports neither an error nor damage, the pixels must be equal.
#include "CJPEG.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { max_pixel_count = 1 << 16, scan_limit = 20 };

static unsigned long file_count, complete_count, suspended_count;

__attribute__((destructor)) static void report(void) {
    fprintf(
        stderr, "%lu decodes, %lu complete and equal, %lu ended in a suspension\n", file_count, complete_count,
        suspended_count);
}

static bool is_cancelled(void *context) { return false; }

/// A decode, at a scale and in parts that follow from a number.
struct decode {
    CJPEGDecoder *decoder;
    CJPEGHeader header;
    CJPEGDecodeOptions options;
    uint32_t width, height;
    uint8_t *pixels;
    bool has_header;
};

static void prepare(struct decode *decode, bool is_growing, int eighths) {
    *decode = (struct decode){.decoder = cjpeg_decoder_create(is_growing)};
    decode->options = (CJPEGDecodeOptions){
        .eighths = eighths,
        .scan_limit = scan_limit,
        .bypass_byte_count = SIZE_MAX,
        .is_cancelled = is_cancelled,
    };
}

static void finish(struct decode *decode) {
    cjpeg_decoder_destroy(decode->decoder);
    free(decode->pixels);
}

static CJPEGStatus start(struct decode *decode) {
    CJPEGStatus status = cjpeg_decoder_read_header(decode->decoder, &decode->header);
    if (status != CJPEGStatusDone) return status;
    if ((size_t)decode->header.width * decode->header.height > max_pixel_count) return CJPEGStatusOverLimit;
    decode->has_header = true;
    decode->width = (decode->header.width * (uint32_t)decode->options.eighths + 7) / 8;
    decode->height = (decode->header.height * (uint32_t)decode->options.eighths + 7) / 8;
    decode->pixels = calloc((size_t)decode->width * decode->height, 4);
    return cjpeg_decoder_start(decode->decoder, &decode->options);
}

static CJPEGStatus read_rows(struct decode *decode) {
    CJPEGStatus status = CJPEGStatusDone;
    uint32_t row = cjpeg_decoder_row_count(decode->decoder);
    while (row < decode->height && status == CJPEGStatusDone) {
        uint32_t count = decode->height - row < 16 ? decode->height - row : 16;
        status = cjpeg_decoder_read_rows(decode->decoder, decode->pixels + (size_t)row * decode->width * 4, count);
        row = cjpeg_decoder_row_count(decode->decoder);
    }
    return status;
}

/// Reads what has arrived. A file with several scans has a pass after each scan, and one after its bytes.
static CJPEGStatus advance(struct decode *decode, bool is_last) {
    CJPEGStatus status = decode->has_header ? CJPEGStatusDone : start(decode);
    if (status != CJPEGStatusDone) return status;
    if (decode->header.coefficient_byte_count == 0) return read_rows(decode);
    bool has_new_scan = is_last;
    while (!cjpeg_decoder_is_at_end(decode->decoder)) {
        status = cjpeg_decoder_read_scan(decode->decoder);
        if (status != CJPEGStatusDone) break;
        has_new_scan = true;
    }
    if (status != CJPEGStatusDone && status != CJPEGStatusSuspended) return status;
    if (!has_new_scan) return status;
    CJPEGStatus pass_status = cjpeg_decoder_start_pass(decode->decoder);
    if (pass_status == CJPEGStatusDone) pass_status = read_rows(decode);
    return pass_status == CJPEGStatusDone ? status : pass_status;
}

static CJPEGStatus decode_growing(struct decode *decode, const uint8_t *data, size_t size, uint32_t random) {
    CJPEGStatus status = CJPEGStatusSuspended;
    uint8_t *lent = NULL;
    bool is_damaged = false;
    for (size_t count = 0; count < size && status == CJPEGStatusSuspended && !is_damaged;) {
        random = random * 1664525 + 1013904223;
        count += 1 + (random >> 8) % (size / 3 + 1);
        if (count > size) count = size;
        uint8_t *part = malloc(count);
        memcpy(part, data, count);
        free(lent);
        lent = part;
        status = cjpeg_decoder_lend(decode->decoder, lent, count);
        if (status == CJPEGStatusDone) status = advance(decode, count == size);
        is_damaged = status <= CJPEGStatusSuspended && cjpeg_decoder_is_damaged(decode->decoder);
        if (status == CJPEGStatusDone && cjpeg_decoder_is_truncated(decode->decoder)) is_damaged = true;
        if (decode->has_header && decode->header.is_arithmetic) is_damaged = true;
    }
    free(lent);
    return is_damaged ? CJPEGStatusCorrupt : status;
}

static void compare(const uint8_t *data, size_t size, int eighths, uint32_t random) {
    struct decode growing, whole;
    prepare(&growing, true, eighths);
    CJPEGStatus status = decode_growing(&growing, data, size, random);
    file_count++;
    suspended_count += status == CJPEGStatusSuspended;
    if (status == CJPEGStatusDone) {
        complete_count++;
        prepare(&whole, false, eighths);
        cjpeg_decoder_lend(whole.decoder, data, size);
        CJPEGStatus expected = start(&whole);
        if (expected == CJPEGStatusDone) expected = read_rows(&whole);
        if (expected != CJPEGStatusDone) abort();
        if (memcmp(growing.pixels, whole.pixels, (size_t)whole.width * whole.height * 4)) abort();
        finish(&whole);
    }
    finish(&growing);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint32_t random = (uint32_t)size;
    for (size_t index = 0; index < size && index < 64; index++) random = random * 31 + data[size - 1 - index];
    compare(data, size, 1, random);
    compare(data, size, 2 + random % 7, random + 1);
    return 0;
}

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/// Half of the files end early, most of them with the first bytes of another marker segment.
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
    if (seed % 2 == 0 || size < 4) return LLVMFuzzerMutate(data, size, max_size);
    uint32_t random = seed * 2654435761u;
    size_t count = random >> 4 & 1 ? size : 4 + (random >> 8) % (size - 3);
    size_t added = random >> 5 & 15;
    if (count + added > max_size) return count;
    for (size_t index = 0; index < added; index++) {
        random = random * 1664525 + 1013904223;
        data[count + index] = index == 0 ? 0xFF : index == 1 ? 0xC0 + (random >> 27) : index == 2 ? 0 : random >> 24 & 31;
    }
    return count + added;
}
