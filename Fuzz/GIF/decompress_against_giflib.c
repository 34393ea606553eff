// Compares CGIFDecompressor with giflib on inputs of libFuzzer. `README.md` in the parent folder says how to build and run it.
//
// An input is the width of the rows, the number of indices read at a time, and a frame from its minimum code size on.
// If CGIFDecompressor decompresses a whole frame, giflib must produce the same indices. If it fails, giflib may continue, because
// it accepts undefined codes; the indices before the failure must be equal.
#include "CGIFDecompressor.h"

#include <gif_lib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { max_side = 64, header_size = 23, guard_count = 16, guard = 0xA5 };

struct file {
    uint8_t bytes[1 << 16];
    size_t count, position;
};

static unsigned long file_count, done_count;

__attribute__((destructor)) static void report(void) {
    fprintf(stderr, "%lu of %lu frames are valid\n", done_count, file_count);
}

static void require(int condition) {
    if (!condition) abort();
}

static int read_file(GifFileType *gif, GifByteType *bytes, int count) {
    struct file *file = gif->UserData;
    size_t left = file->count - file->position;
    if ((size_t)count > left) count = (int)left;
    memcpy(bytes, file->bytes + file->position, (size_t)count);
    file->position += (size_t)count;
    return count;
}

// Returns whether giflib reads all rows. The rows that it reads are written to `indices`; `*row_count` is their number.
static int read_by_giflib(struct file *file, int width, uint8_t *indices, int *row_count) {
    int error;
    GifFileType *gif = DGifOpen(file, read_file, &error);
    require(gif != NULL);
    GifRecordType type;
    int is_done = DGifGetRecordType(gif, &type) == GIF_OK && DGifGetImageHeader(gif) == GIF_OK;
    for (*row_count = 0; is_done && *row_count < max_side; *row_count += is_done) {
        is_done = DGifGetLine(gif, indices + *row_count * width, width) == GIF_OK;
    }
    DGifCloseFile(gif, &error);
    return is_done;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct file file;
    if (size < 2 || size > sizeof file.bytes - header_size) return 0;
    int width = data[0] % max_side + 1;
    size_t portion = data[1] + 1u, total = (size_t)width * max_side, count = 0;
    data += 2;
    size -= 2;
    uint8_t header[header_size] = {'G', 'I', 'F', '8', '9', 'a'};
    header[13] = 0x2C;
    header[18] = (uint8_t)width;
    header[20] = max_side;
    memcpy(file.bytes, header, header_size);
    memcpy(file.bytes + header_size, data, size);
    file.count = header_size + size;
    file.position = 0;

    uint8_t *expected = malloc(total), *indices = malloc(total + guard_count), *copy = malloc(size + !size);
    memcpy(copy, data, size);
    memset(indices + total, guard, guard_count);
    int expected_row_count, is_expected = read_by_giflib(&file, width, expected, &expected_row_count);
    cgif_decompressor *decompressor = cgif_create();
    cgif_status status = cgif_start(decompressor, copy, size);
    while ((status == cgif_done || status == cgif_again) && count < total) {
        size_t written, wanted = portion < total - count ? portion : total - count;
        status = cgif_read(decompressor, indices + count, wanted, &written);
        require(written == wanted || status != cgif_done);
        count += written;
    }
    for (size_t n = 0; n < guard_count; n++) require(indices[total + n] == guard);
    cgif_destroy(decompressor);

    file_count++;
    done_count += status == cgif_done;
    // giflib refuses larger code sizes, and frames whose end is not marked.
    bool is_larger = size > 0 && data[0] > 8;
    require(!is_expected || status == cgif_done || status == cgif_corrupt);
    require(status != cgif_done || count == total);
    size_t known = (size_t)expected_row_count * (size_t)width;
    require(memcmp(indices, expected, count < known ? count : known) == 0);
    // giflib uses no part of a block that is cut off.
    require((status != cgif_incomplete && status != cgif_ended) || is_larger || count >= known);
    free(expected);
    free(indices);
    free(copy);
    return 0;
}
