#include "CPNG.h"
#include "packer.h"

#include <libdeflate.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

struct cpng_writer {
    png_structp png;
    png_infop info;
    uint8_t *bytes;
    size_t count, capacity;
    // Receives the rows if the image qualifies; libpng receives them otherwise.
    packer *packer;
    int is_stopped;
    size_t byte_limit;
    char message[128];
};

static void fail(png_structp png, png_const_charp message) {
    cpng_writer *writer = png_get_error_ptr(png);
    strncpy(writer->message, message, sizeof writer->message - 1);
    png_longjmp(png, 1);
}

static void ignore(png_structp png, png_const_charp message) {}

static void flush(png_structp png) {}

// Reserves room for `count` more bytes. The capacity doubles, so that a large file is not copied often.
static int reserve(cpng_writer *writer, size_t count) {
    if (count > SIZE_MAX / 2 - writer->count) return 0;
    size_t needed = writer->count + count, capacity = writer->capacity ? writer->capacity : 4096;
    while (capacity < needed) capacity *= 2;
    if (capacity == writer->capacity) return 1;
    uint8_t *bytes = realloc(writer->bytes, capacity);
    if (!bytes) return 0;
    writer->bytes = bytes;
    writer->capacity = capacity;
    return 1;
}

// Returns the reason if the bytes cannot be appended, otherwise NULL.
static const char *append(cpng_writer *writer, const void *bytes, size_t count) {
    writer->is_stopped = writer->count > writer->byte_limit || count > writer->byte_limit - writer->count;
    if (writer->is_stopped) return "the file exceeds the size limit";
    if (!reserve(writer, count)) return "memory for the file could not be allocated";
    memcpy(writer->bytes + writer->count, bytes, count);
    writer->count += count;
    return NULL;
}

static void write_bytes(png_structp png, png_bytep source, size_t count) {
    const char *reason = append(png_get_io_ptr(png), source, count);
    if (reason) png_error(png, reason);
}

cpng_writer *cpng_writer_create(void) {
    cpng_writer *writer = calloc(1, sizeof *writer);
    if (!writer) return NULL;
    writer->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, writer, fail, ignore);
    if (writer->png) writer->info = png_create_info_struct(writer->png);
    if (writer->info) return writer;
    cpng_writer_destroy(writer);
    return NULL;
}

void cpng_writer_destroy(cpng_writer *writer) {
    png_destroy_write_struct(&writer->png, &writer->info);
    packer_destroy(writer->packer);
    free(writer->bytes);
    free(writer);
}

const char *cpng_writer_message(const cpng_writer *writer) { return writer->message; }

static void set_palette(cpng_writer *writer, const cpng_written_header *header) {
    png_color colors[256];
    png_byte alphas[256];
    int translucent_count = 0;
    for (int i = 0; i < header->palette_count; i++) {
        const uint8_t *color = header->palette + 4 * i;
        colors[i] = (png_color){color[0], color[1], color[2]};
        alphas[i] = color[3];
        if (color[3] < 255) translucent_count = i + 1;
    }
    png_set_PLTE(writer->png, writer->info, colors, header->palette_count);
    // A single tRNS entry is enough to declare transparency.
    if (header->has_alpha && !translucent_count) translucent_count = 1;
    if (translucent_count) png_set_tRNS(writer->png, writer->info, alphas, translucent_count, NULL);
}

static int bit_depth(const cpng_written_header *header) {
    if (header->color_type != CPNG_PALETTE || header->palette_count > 16) return 8;
    return header->palette_count > 4 ? 4 : header->palette_count > 2 ? 2 : 1;
}

static int failure(const cpng_writer *writer) { return writer->is_stopped ? CPNG_STOPPED : CPNG_FAILED; }

int cpng_write_header(cpng_writer *writer, const cpng_written_header *header) {
    png_structp png = writer->png;
    png_infop info = writer->info;
    int has_palette = header->color_type == CPNG_PALETTE;
    writer->packer = packer_create(header, bit_depth(header));
    writer->byte_limit = header->byte_limit;
    if (setjmp(png_jmpbuf(png))) return failure(writer);
    png_set_write_fn(png, writer, write_bytes, flush);
    // libpng's default limit is a million pixels per side.
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_compression_level(png, header->level);
    // Neighbouring palette indices are unrelated.
    png_set_filter(png, PNG_FILTER_TYPE_BASE, has_palette ? PNG_FILTER_NONE : PNG_FILTER_SUB);
    png_set_IHDR(
        png, info, header->width, header->height, bit_depth(header), header->color_type, PNG_INTERLACE_NONE,
        PNG_COMPRESSION_TYPE_BASE, PNG_FILTER_TYPE_BASE);
    if (has_palette) set_palette(writer, header);
    // A profile that libpng considers broken is left out. That of sRGB, which could be omitted, is written.
    png_set_benign_errors(png, 1);
    if (header->profile)
        png_set_iCCP(png, info, "ICC", PNG_COMPRESSION_TYPE_BASE, header->profile, (png_uint_32)header->profile_count);
    // libpng copies the data, although the parameter type is not const.
    if (header->exif) png_set_eXIf_1(png, info, (png_uint_32)header->exif_count, (png_bytep)header->exif);
    png_write_info(png, info);
    png_set_benign_errors(png, 0);
    if (header->text) write_bytes(png, (png_bytep)header->text, header->text_count);
    // Packs indices of one byte each if the bit depth is lower.
    png_set_packing(png);
    if (header->color_type == CPNG_RGB) png_set_filler(png, 0, PNG_FILLER_AFTER);
    return CPNG_OK;
}

int cpng_writer_has_profile(const cpng_writer *writer) {
    return png_get_valid(writer->png, writer->info, PNG_INFO_iCCP) != 0;
}

static void put_number(uint8_t *target, uint32_t number) {
    for (int n = 0; n < 4; n++) target[n] = number >> (24 - 8 * n) & 255;
}

// Appends an IDAT chunk, and the IEND chunk after the last one. Returns the reason if this fails, otherwise NULL.
static const char *write_chunk(cpng_writer *writer, portion body, int is_last) {
    static const uint8_t end[] = {0, 0, 0, 0, 'I', 'E', 'N', 'D', 0xAE, 0x42, 0x60, 0x82};
    uint8_t head[] = {0, 0, 0, 0, 'I', 'D', 'A', 'T'}, checksum[4];
    put_number(head, (uint32_t)body.count);
    put_number(checksum, libdeflate_crc32(libdeflate_crc32(0, head + 4, 4), body.bytes, body.count));
    const char *reason = append(writer, head, sizeof head);
    if (!reason) reason = append(writer, body.bytes, body.count);
    if (!reason) reason = append(writer, checksum, sizeof checksum);
    return reason || !is_last ? reason : append(writer, end, sizeof end);
}

static int pack_row(cpng_writer *writer, const uint8_t *row) {
    const char *reason = NULL;
    if (packer_add_row(writer->packer, row)) {
        portion body = packer_take(writer->packer);
        if (body.count) reason = write_chunk(writer, body, packer_is_complete(writer->packer));
    } else {
        reason = "memory for the pixels could not be allocated";
    }
    if (!reason) return CPNG_OK;
    strncpy(writer->message, reason, sizeof writer->message - 1);
    return failure(writer);
}

int cpng_write_row(cpng_writer *writer, const uint8_t *row) {
    if (writer->packer) return pack_row(writer, row);
    if (setjmp(png_jmpbuf(writer->png))) return failure(writer);
    png_write_row(writer->png, row);
    return CPNG_OK;
}

static int write_end(cpng_writer *writer) {
    if (setjmp(png_jmpbuf(writer->png))) return failure(writer);
    png_write_end(writer->png, NULL);
    return CPNG_OK;
}

int cpng_finish(cpng_writer *writer, uint8_t **bytes, size_t *count) {
    if (!writer->packer) {
        int code = write_end(writer);
        if (code != CPNG_OK) return code;
    } else if (!packer_is_complete(writer->packer)) {
        strcpy(writer->message, "rows are missing");
        return CPNG_FAILED;
    }
    // Up to half of the buffer is unused.
    uint8_t *smaller = realloc(writer->bytes, writer->count);
    *bytes = smaller ? smaller : writer->bytes;
    *count = writer->count;
    writer->bytes = NULL;
    return CPNG_OK;
}
