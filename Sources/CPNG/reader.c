#include "CPNG.h"
#include "rgba.h"
#include "rows.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

// The maximum inflated size of a chunk other than IDAT. The largest profiles in use are about 2 MB.
#define MAX_CHUNK_COUNT ((png_alloc_size_t)4 << 20)

struct cpng_reader {
    png_structp png;
    png_infop info;
    const uint8_t *bytes;
    size_t count, position;
    // What replaces the start of the file, read before `position` moves on.
    const uint8_t *head;
    size_t head_count, head_position;
    deep_conversion deep;
    // The fast path for rows, as long as nothing is unusual.
    rows *rows;
    // The number of rows already returned by `rows`, which libpng must read again.
    uint32_t reread_count;
    int is_incomplete, is_stopped, has_profile_of_other_colors, tolerates;
    cpng_is_stopped *asks_stop;
    void *context;
    // The position at which cancellation is checked next.
    size_t next_check;
    char message[128];
};

static void fail(png_structp png, png_const_charp message) {
    cpng_reader *reader = png_get_error_ptr(png);
    strncpy(reader->message, message, sizeof reader->message - 1);
    png_longjmp(png, 1);
}

// libpng reports a profile of another colour space only in words.
static void warn(png_structp png, png_const_charp message) {
    cpng_reader *reader = png_get_error_ptr(png);
    if (strncmp(message, "iCCP", 4) != 0) return;
    const char *words[] = {"color space not permitted", "invalid ICC profile color space"};
    for (size_t n = 0; n < 2; n++) reader->has_profile_of_other_colors |= strstr(message, words[n]) != NULL;
}

static int should_stop(cpng_reader *reader) {
    if (!reader->is_stopped && reader->asks_stop) reader->is_stopped = reader->asks_stop(reader->context);
    return reader->is_stopped;
}

static uint32_t number(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

// Replaces the length in `start`, the start of a chunk, if it is that of the last pixels of a truncated file: libpng
// reads several kilobytes at once, and would discard the ones that are there.
static void shorten(const cpng_reader *reader, uint8_t *start) {
    size_t left = reader->count - reader->position;
    if (memcmp(start + 4, "IDAT", 4) || number(start) <= left) return;
    for (int n = 0; n < 4; n++) start[n] = left >> (24 - 8 * n) & 255;
}

static void read_bytes(png_structp png, png_bytep target, size_t count) {
    cpng_reader *reader = png_get_io_ptr(png);
    if (reader->position >= reader->next_check) {
        reader->next_check = reader->position + ROWS_CHECKED_COUNT;
        if (should_stop(reader)) png_error(png, "decoding was cancelled");
    }
    size_t head_count = reader->head_count - reader->head_position;
    if (head_count > count) head_count = count;
    if (head_count) memcpy(target, reader->head + reader->head_position, head_count);
    reader->head_position += head_count;
    if (count - head_count > reader->count - reader->position) {
        reader->is_incomplete = 1;
        png_error(png, "the file is truncated");
    }
    memcpy(target + head_count, reader->bytes + reader->position, count - head_count);
    reader->position += count - head_count;
    if (count == 8) shorten(reader, target);
}

static int failure(const cpng_reader *reader) {
    if (reader->is_stopped) return CPNG_STOPPED;
    return reader->is_incomplete ? CPNG_INCOMPLETE : CPNG_FAILED;
}

void cpng_reader_set_is_stopped(cpng_reader *reader, cpng_is_stopped *is_stopped, void *context) {
    reader->asks_stop = is_stopped;
    reader->context = context;
    reader->next_check = ROWS_CHECKED_COUNT;
}

void cpng_reader_set_convert(cpng_reader *reader, cpng_convert *convert, void *context) {
    reader->deep = (deep_conversion){convert, context};
}

void cpng_reader_set_head(cpng_reader *reader, const uint8_t *head, size_t count, size_t body_start) {
    reader->head = head;
    reader->head_count = count;
    reader->position = body_start;
}

void cpng_reader_tolerate(cpng_reader *reader) { reader->tolerates = 1; }

cpng_reader *cpng_reader_create(const uint8_t *bytes, size_t count) {
    cpng_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->bytes = bytes;
    reader->count = count;
    reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, fail, warn);
    if (reader->png) reader->info = png_create_info_struct(reader->png);
    if (reader->info) return reader;
    cpng_reader_destroy(reader);
    return NULL;
}

void cpng_reader_destroy(cpng_reader *reader) {
    png_destroy_read_struct(&reader->png, &reader->info, NULL);
    rows_destroy(reader->rows);
    free(reader);
}

const char *cpng_reader_message(const cpng_reader *reader) { return reader->message; }

static void configure(cpng_reader *reader, uint32_t max_width, uint32_t max_height, int keeps_profile) {
    png_structp png = reader->png;
    png_set_read_fn(png, reader, read_bytes);
    png_set_user_limits(png, max_width, max_height);
    png_set_chunk_cache_max(png, 16);
    png_set_chunk_malloc_max(png, MAX_CHUNK_COUNT);
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    // -1 means all ancillary chunks.
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    if (reader->tolerates) {
        png_set_option(png, PNG_MAXIMUM_INFLATE_WINDOW, PNG_OPTION_ON);
        png_set_option(png, PNG_IGNORE_ADLER32, PNG_OPTION_ON);
    }
    if (keeps_profile) png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_AS_DEFAULT, (png_const_bytep) "iCCP", 1);
}

static void fill(cpng_header *header, cpng_reader *reader) {
    png_structp png = reader->png;
    png_infop info = reader->info;
    header->width = png_get_image_width(png, info);
    header->height = png_get_image_height(png, info);
    header->bit_depth = png_get_bit_depth(png, info);
    header->color_type = png_get_color_type(png, info);
    header->has_alpha = (header->color_type & PNG_COLOR_MASK_ALPHA) || png_get_valid(png, info, PNG_INFO_tRNS);
    header->is_interlaced = png_get_interlace_type(png, info) != PNG_INTERLACE_NONE;

    header->has_profile_of_other_colors = reader->has_profile_of_other_colors;

    png_charp name;
    int compression;
    png_bytep profile;
    png_uint_32 count;
    if (!png_get_iCCP(png, info, &name, &compression, &profile, &count)) return;
    header->profile = profile;
    header->profile_count = count;
}

int cpng_read_header(
    cpng_reader *reader, uint32_t max_width, uint32_t max_height, int keeps_profile, cpng_header *header) {
    memset(header, 0, sizeof *header);
    if (setjmp(png_jmpbuf(reader->png))) return failure(reader);
    configure(reader, max_width, max_height, keeps_profile);
    png_read_info(reader->png, reader->info);
    fill(header, reader);
    return CPNG_OK;
}

// Fills in the colours of all pixel values. Returns 0 if there is transparency outside a palette.
static int get_palette(cpng_reader *reader, uint8_t *palette) {
    png_colorp colors = NULL;
    png_bytep alphas = NULL;
    int color_count = 0, alpha_count = 0, has_palette = 0;
    // The maximum pixel value for up to 8 bits; deeper pixels are not looked up.
    int highest = (1 << png_get_bit_depth(reader->png, reader->info)) - 1;
    int has_alphas = png_get_tRNS(reader->png, reader->info, &alphas, &alpha_count, NULL) != 0;
    if (png_get_color_type(reader->png, reader->info) == PNG_COLOR_TYPE_PALETTE)
        has_palette = png_get_PLTE(reader->png, reader->info, &colors, &color_count) != 0;
    for (int n = 0; n < 256; n++) {
        uint8_t gray = n < highest ? n * 255 / highest : 255;
        png_color color = {gray, gray, gray};
        // libpng uses black for a missing palette entry.
        if (has_palette) color = n < color_count ? colors[n] : (png_color){0, 0, 0};
        uint8_t alpha = has_palette && alphas && n < alpha_count ? alphas[n] : 255;
        memcpy(palette + 4 * n, (uint8_t[]){color.red, color.green, color.blue, alpha}, 4);
    }
    return has_palette || !has_alphas;
}

// Creates `rows` if the file qualifies for the fast path.
static void start_fast_rows(cpng_reader *reader) {
    uint8_t palette[256 * 4];
    int is_interlaced = png_get_interlace_type(reader->png, reader->info) != PNG_INTERLACE_NONE;
    if (is_interlaced || !get_palette(reader, palette)) return;
    rows_header header = {
        .bytes = reader->bytes, .count = reader->count, .start = reader->position,
        .width = png_get_image_width(reader->png, reader->info),
        .height = png_get_image_height(reader->png, reader->info),
        .bit_depth = png_get_bit_depth(reader->png, reader->info),
        .color_type = png_get_color_type(reader->png, reader->info), .palette = palette,
        .is_stopped = reader->asks_stop, .context = reader->context, .deep = reader->deep,
    };
    reader->rows = rows_create(&header);
}

int cpng_start_libpng_rows(cpng_reader *reader, int *pass_count) {
    if (setjmp(png_jmpbuf(reader->png))) return failure(reader);
    *pass_count = set_rgba(reader->png, reader->info, &reader->deep);
    return CPNG_OK;
}

int cpng_start_rows(cpng_reader *reader, int *pass_count) {
    if (!reader->tolerates) start_fast_rows(reader);
    *pass_count = 1;
    return reader->rows ? CPNG_OK : cpng_start_libpng_rows(reader, pass_count);
}

int cpng_reader_is_fast(const cpng_reader *reader) { return reader->rows != NULL; }

// Whether libpng has read all rows of all passes, and looks for the end of the compressed stream.
static int has_all_rows(const cpng_reader *reader) {
    if (png_get_interlace_type(reader->png, reader->info) != PNG_INTERLACE_NONE)
        return png_get_current_pass_number(reader->png) >= PNG_INTERLACE_ADAM7_PASSES;
    return png_get_current_row_number(reader->png) >= png_get_image_height(reader->png, reader->info);
}

// Whether the last failure concerns only the end of the stream. The pixels of a wrong chunk cannot be trusted.
static int concerns_end(const cpng_reader *reader) {
    return !reader->is_stopped && has_all_rows(reader) && !strstr(reader->message, "CRC error");
}

int cpng_reader_is_tolerable(const cpng_reader *reader) {
    if (reader->tolerates || reader->is_stopped) return 0;
    // libpng reports these errors of zlib before it returns the rows that it has read.
    return concerns_end(reader) || strstr(reader->message, "incorrect data check") ||
           strstr(reader->message, "distance too far back");
}

static int read_row(cpng_reader *reader, uint8_t *row) {
    if (setjmp(png_jmpbuf(reader->png)))
        return reader->tolerates && concerns_end(reader) ? CPNG_OK : failure(reader);
    png_read_row(reader->png, row, NULL);
    return CPNG_OK;
}

int cpng_read_row(cpng_reader *reader, uint8_t *row) {
    if (reader->rows) {
        if (rows_read(reader->rows, row)) return CPNG_OK;
        if (should_stop(reader)) return CPNG_STOPPED;
        // libpng decides whether anything is wrong, and what.
        reader->reread_count = rows_read_count(reader->rows);
        rows_destroy(reader->rows);
        reader->rows = NULL;
        int pass_count, code = cpng_start_libpng_rows(reader, &pass_count);
        if (code != CPNG_OK) return code;
    }
    int code = read_row(reader, row);
    if (code != CPNG_OK || !reader->reread_count) return code;
    reader->reread_count--;
    return CPNG_AGAIN;
}
