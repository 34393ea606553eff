#include "errors.h"

#include <stdlib.h>
#include <string.h>

enum { first_capacity = 1 << 16, max_rows_per_call = 16, gray_check_count = 256 };

struct CJPEGEncoder {
    struct jpeg_compress_struct cinfo;
    struct errors errors;
    struct jpeg_destination_mgr destination;
    struct jpeg_progress_mgr progress;
    bool (*is_cancelled)(void *context);
    void *context;
    uint8_t *bytes;
    size_t capacity, byte_limit;
};

// libjpeg's own memory destination leaks its buffer when an error jumps out, hence this one.

/// Makes room for more bytes after the first `used` ones.
static void grow(struct CJPEGEncoder *encoder, size_t used) {
    if (encoder->capacity > 0 && encoder->capacity >= encoder->byte_limit) {
        errors_leave(&encoder->errors, CJPEGStatusOverLimit);
    }
    size_t capacity = encoder->capacity == 0 ? first_capacity : encoder->capacity * 2;
    if (capacity > encoder->byte_limit && encoder->capacity > 0) capacity = encoder->byte_limit;
    uint8_t *bytes = realloc(encoder->bytes, capacity);
    if (bytes == NULL) errors_leave(&encoder->errors, CJPEGStatusNoMemory);
    encoder->bytes = bytes;
    encoder->capacity = capacity;
    encoder->destination.next_output_byte = bytes + used;
    encoder->destination.free_in_buffer = capacity - used;
}

static void init_destination(j_compress_ptr cinfo) { grow(cinfo->client_data, 0); }

static boolean empty_output_buffer(j_compress_ptr cinfo) {
    struct CJPEGEncoder *encoder = cinfo->client_data;
    grow(encoder, encoder->capacity);
    return TRUE;
}

static void term_destination(j_compress_ptr cinfo) {}

static void progress_monitor(j_common_ptr cinfo) {
    struct CJPEGEncoder *encoder = cinfo->client_data;
    if (encoder->is_cancelled(encoder->context)) errors_leave(&encoder->errors, CJPEGStatusCancelled);
}

CJPEGEncoder *cjpeg_encoder_create(void) {
    struct CJPEGEncoder *encoder = calloc(1, sizeof *encoder);
    if (encoder == NULL) return NULL;
    struct jpeg_compress_struct *cinfo = &encoder->cinfo;
    cinfo->err = errors_prepare(&encoder->errors);
    if (setjmp(encoder->errors.escape)) {
        cjpeg_encoder_destroy(encoder);
        return NULL;
    }
    jpeg_create_compress(cinfo);
    cinfo->client_data = encoder;
    encoder->destination = (struct jpeg_destination_mgr){
        .init_destination = init_destination,
        .empty_output_buffer = empty_output_buffer,
        .term_destination = term_destination,
    };
    cinfo->dest = &encoder->destination;
    return encoder;
}

void cjpeg_encoder_destroy(CJPEGEncoder *encoder) {
    jpeg_destroy_compress(&encoder->cinfo);
    free(encoder->bytes);
    free(encoder);
}

const char *cjpeg_encoder_message(const CJPEGEncoder *encoder) { return encoder->errors.message; }

bool cjpeg_is_gray(const uint8_t *rgbx, size_t pixel_count) {
    // Of a pixel combined with itself, moved by a channel, all bits that differ between two colours.
    const uint32_t mask = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 0x0000FFFF : 0x00FFFF00;
    while (pixel_count > 0) {
        size_t count = pixel_count < gray_check_count ? pixel_count : gray_check_count;
        uint32_t differences = 0;
        for (size_t index = 0; index < count; index++) {
            uint32_t pixel;
            memcpy(&pixel, rgbx + 4 * index, sizeof pixel);
            differences |= pixel ^ pixel >> 8;
        }
        if ((differences & mask) != 0) return false;
        rgbx += 4 * count;
        pixel_count -= count;
    }
    return true;
}

CJPEGStatus cjpeg_encoder_start(CJPEGEncoder *encoder, const CJPEGEncodeOptions *options) {
    struct jpeg_compress_struct *cinfo = &encoder->cinfo;
    if (setjmp(encoder->errors.escape)) return encoder->errors.status;
    encoder->is_cancelled = options->is_cancelled;
    encoder->context = options->context;
    encoder->byte_limit = options->byte_limit;
    encoder->progress.progress_monitor = progress_monitor;
    cinfo->progress = &encoder->progress;
    cinfo->image_width = options->width;
    cinfo->image_height = options->height;
    cinfo->input_components = 4;
    cinfo->in_color_space = JCS_EXT_RGBX;
    jpeg_set_defaults(cinfo);
    if (options->is_gray) jpeg_set_colorspace(cinfo, JCS_GRAYSCALE);
    jpeg_set_quality(cinfo, options->quality, TRUE);
    cinfo->comp_info[0].h_samp_factor = options->is_gray ? 1 : options->chroma_columns;
    cinfo->comp_info[0].v_samp_factor = options->is_gray ? 1 : options->chroma_rows;
    cinfo->optimize_coding = options->is_optimized;
    if (options->is_progressive) jpeg_simple_progression(cinfo);
    jpeg_start_compress(cinfo, TRUE);
    if (options->exif_byte_count > 0) {
        jpeg_write_marker(cinfo, JPEG_APP0 + 1, options->exif, options->exif_byte_count);
    }
    if (options->profile_byte_count > 0) {
        jpeg_write_icc_profile(cinfo, options->profile, options->profile_byte_count);
    }
    return CJPEGStatusDone;
}

CJPEGStatus cjpeg_encoder_write_rows(CJPEGEncoder *encoder, const uint8_t *rgbx, uint32_t row_count) {
    struct jpeg_compress_struct *cinfo = &encoder->cinfo;
    if (setjmp(encoder->errors.escape)) return encoder->errors.status;
    size_t row_byte_count = (size_t)cinfo->image_width * 4;
    for (uint32_t left = row_count; left > 0;) {
        JSAMPROW rows[max_rows_per_call];
        JDIMENSION count = left < max_rows_per_call ? left : max_rows_per_call;
        // libjpeg only reads the row, although the parameter type is not const.
        for (JDIMENSION index = 0; index < count; index++) rows[index] = (JSAMPROW)rgbx + index * row_byte_count;
        jpeg_write_scanlines(cinfo, rows, count);
        rgbx += count * row_byte_count;
        left -= count;
    }
    return CJPEGStatusDone;
}

CJPEGStatus cjpeg_encoder_finish(CJPEGEncoder *encoder, const uint8_t **bytes, size_t *count) {
    if (setjmp(encoder->errors.escape)) return encoder->errors.status;
    jpeg_finish_compress(&encoder->cinfo);
    *bytes = encoder->bytes;
    *count = encoder->capacity - encoder->destination.free_in_buffer;
    return CJPEGStatusDone;
}
