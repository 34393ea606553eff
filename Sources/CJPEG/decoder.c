#include "decoder.h"

#include "deep.h"

#include <stdlib.h>

enum { max_rows_per_call = 16 };

void decoder_check(struct CJPEGDecoder *decoder) {
    const CJPEGDecodeOptions *options = &decoder->options;
    if (options->is_cancelled(options->context)) errors_leave(&decoder->errors, CJPEGStatusCancelled);
    if (decoder->cinfo.input_scan_number + decoder->scans.dropped_count > options->scan_limit) {
        errors_leave(&decoder->errors, CJPEGStatusOverLimit);
    }
}

static void progress_monitor(j_common_ptr cinfo) { decoder_check(cinfo->client_data); }

CJPEGDecoder *cjpeg_decoder_create(bool is_growing) {
    struct CJPEGDecoder *decoder = calloc(1, sizeof *decoder);
    if (decoder == NULL) return NULL;
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    cinfo->err = errors_prepare(&decoder->errors);
    if (setjmp(decoder->errors.escape)) {
        cjpeg_decoder_destroy(decoder);
        return NULL;
    }
    decoder->is_growing = is_growing;
    jpeg_create_decompress(cinfo);
    cinfo->client_data = decoder;
    cinfo->err->emit_message = decoder_emit_message;
    decoder->progress.progress_monitor = progress_monitor;
    source_prepare(decoder);
    return decoder;
}

void cjpeg_decoder_destroy(CJPEGDecoder *decoder) {
    jpeg_destroy_decompress(&decoder->cinfo);
    reduced_destroy(decoder->reduced);
    source_destroy(decoder);
    free(decoder);
}

const char *cjpeg_decoder_message(const CJPEGDecoder *decoder) { return decoder->errors.message; }

static size_t rounded_up(size_t value, size_t step) { return (value + step - 1) / step * step; }

static size_t coefficient_byte_count(struct jpeg_decompress_struct *cinfo) {
    if (!jpeg_has_multiple_scans(cinfo)) return 0;
    size_t block_count = 0;
    for (int index = 0; index < cinfo->num_components; index++) {
        const jpeg_component_info *component = &cinfo->comp_info[index];
        block_count += rounded_up(component->width_in_blocks, (size_t)component->h_samp_factor)
            * rounded_up(component->height_in_blocks, (size_t)component->v_samp_factor);
    }
    return block_count * sizeof(JBLOCK);
}

static void keep_frame(struct CJPEGDecoder *decoder) {
    const struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    decoder->frame = (struct frame){
        .width = cinfo->image_width,
        .height = cinfo->image_height,
        .precision = cinfo->data_precision,
        .component_count = cinfo->num_components,
        .is_progressive = cinfo->progressive_mode,
        .is_arithmetic = cinfo->arith_code,
    };
}

void decoder_restore_frame(struct CJPEGDecoder *decoder) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    cinfo->image_width = decoder->frame.width;
    cinfo->image_height = decoder->frame.height;
    cinfo->data_precision = decoder->frame.precision;
    cinfo->num_components = decoder->frame.component_count;
    cinfo->progressive_mode = decoder->frame.is_progressive;
    cinfo->arith_code = decoder->frame.is_arithmetic;
}

CJPEGStatus cjpeg_decoder_read_header(CJPEGDecoder *decoder, CJPEGHeader *header) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    if (setjmp(decoder->errors.escape)) {
        bool is_cut = decoder->errors.status == CJPEGStatusCorrupt && decoder_is_in_cut_segment(decoder);
        return is_cut ? CJPEGStatusIncomplete : decoder->errors.status;
    }
    if (jpeg_read_header(cinfo, TRUE) == JPEG_SUSPENDED) return CJPEGStatusSuspended;
    keep_frame(decoder);
    switch (cinfo->jpeg_color_space) {
    case JCS_GRAYSCALE:
    case JCS_YCbCr:
    case JCS_RGB:
        cinfo->out_color_space = JCS_EXT_RGBA;
        break;
    case JCS_CMYK:
    case JCS_YCCK:
        cinfo->out_color_space = JCS_CMYK;
        break;
    default:
        return CJPEGStatusUnsupported;
    }
    cinfo->do_block_smoothing = FALSE;
    header->width = cinfo->image_width;
    header->height = cinfo->image_height;
    header->is_arithmetic = cinfo->arith_code;
    header->coefficient_byte_count = coefficient_byte_count(cinfo);
    return CJPEGStatusDone;
}

/// After an error between two scans that was caused by missing bytes, makes libjpeg see the end of the image there.
static bool simulate_end(struct CJPEGDecoder *decoder) {
    decoder->is_exhausted |= decoder_is_in_cut_segment(decoder);
    bool has_run_out = decoder->errors.status == CJPEGStatusCorrupt && decoder->is_exhausted;
    if (!has_run_out || decoder->has_simulated_end || !decoder_has_whole_scan(&decoder->cinfo)) return false;
    decoder->has_simulated_end = true;
    decoder_restore_frame(decoder);
    decoder->cinfo.unread_marker = JPEG_EOI;
    return true;
}

/// Returns the status after an error that `simulate_end` does not handle. If the bytes ran out, they are the reason.
static CJPEGStatus status_after_start(const struct CJPEGDecoder *decoder) {
    CJPEGStatus status = decoder->errors.status;
    bool has_run_out = status == CJPEGStatusCorrupt && decoder->is_exhausted && !decoder->has_simulated_end;
    return has_run_out ? CJPEGStatusIncomplete : status;
}

static void start_libjpeg(struct CJPEGDecoder *decoder) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    cinfo->buffered_image = decoder->is_growing && jpeg_has_multiple_scans(cinfo);
    bool is_split = cinfo->progressive_mode || (cinfo->arith_code && !decoder->is_growing);
    if (!decoder->is_started && is_split) source_drop_unneeded_scans(decoder);
    if (!decoder->is_started) coefficients_prepare(&decoder->coefficients, cinfo);
    if (!decoder->is_started) decoder->known_count = decoder->lent_count - cinfo->src->bytes_in_buffer;
    decoder->is_started = true;
    jpeg_start_decompress(cinfo);
}

/// Starts decoding without libjpeg. Returns false if the file or its scale requires libjpeg.
static bool start_reduced(struct CJPEGDecoder *decoder) {
    const CJPEGDecodeOptions *options = &decoder->options;
    if (decoder->is_started || decoder->is_growing || options->eighths > 2) return false;
    if (decoder->cinfo.src->bytes_in_buffer < options->bypass_byte_count) return false;
    jpeg_calc_output_dimensions(&decoder->cinfo);
    decoder->reduced = reduced_create(&decoder->cinfo);
    return decoder->reduced != NULL;
}

CJPEGStatus cjpeg_decoder_start(CJPEGDecoder *decoder, const CJPEGDecodeOptions *options) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    decoder->options = *options;
    decoder->coefficients = (struct coefficients){options->coefficients, options->coefficient_byte_count};
    cinfo->progress = &decoder->progress;
    cinfo->scale_num = (unsigned)options->eighths;
    cinfo->scale_denom = 8;
    if (setjmp(decoder->errors.escape) && !simulate_end(decoder)) return status_after_start(decoder);
    if (!start_reduced(decoder)) start_libjpeg(decoder);
    return CJPEGStatusDone;
}

bool cjpeg_decoder_bypasses_libjpeg(const CJPEGDecoder *decoder) { return decoder->reduced != NULL; }

uint32_t cjpeg_decoder_row_count(const CJPEGDecoder *decoder) {
    return decoder->reduced != NULL ? reduced_row_count(decoder->reduced) : decoder->cinfo.output_scanline;
}

// Files store the complement of each ink, as Adobe's programs do. Browsers, Pillow and libvips expect it without Adobe's
// marker, too.

/// Complements inks in place, so that 255 means full ink.
static void normalize_inks(uint8_t *pixels, size_t pixel_count) {
    for (uint8_t *ink = pixels; ink < pixels + 4 * pixel_count; ink++) *ink ^= 255;
}

/// Converts inks to RGBA in place: each channel is `c * k / 255` of the complements, rounded.
static void convert_inks(uint8_t *pixels, size_t pixel_count) {
    for (uint8_t *pixel = pixels; pixel < pixels + 4 * pixel_count; pixel += 4) {
        unsigned key = pixel[3];
        for (int channel = 0; channel < 3; channel++) pixel[channel] = (uint8_t)((pixel[channel] * key + 127) / 255);
        pixel[3] = 255;
    }
}

/// Reads rows without libjpeg, until one is irregular, and returns their number.
static uint32_t read_regular_rows(struct CJPEGDecoder *decoder, uint8_t *rgba, uint32_t row_count) {
    size_t row_byte_count = (size_t)decoder->cinfo.output_width * 4;
    for (uint32_t row = 0; row < row_count; row++) {
        decoder_check(decoder);
        if (!reduced_read_row(decoder->reduced, rgba + row * row_byte_count)) return row;
    }
    return row_count;
}

/// Lets libjpeg decode the file from its start, and reads as many rows as have been read without it into `row`.
static void hand_over(struct CJPEGDecoder *decoder, uint8_t *row) {
    uint32_t row_count = reduced_row_count(decoder->reduced);
    reduced_destroy(decoder->reduced);
    decoder->reduced = NULL;
    start_libjpeg(decoder);
    while (decoder->cinfo.output_scanline < row_count) {
        if (jpeg_read_scanlines(&decoder->cinfo, &row, 1) == 0) errors_leave(&decoder->errors, CJPEGStatusCorrupt);
    }
}

/// Returns the status of a call that has been left. If it has read rows before the image ended early, the next one fails.
static CJPEGStatus status_after_rows(struct CJPEGDecoder *decoder) {
    CJPEGStatus status = decoder->errors.status;
    decoder->has_ended = status == CJPEGStatusIncomplete;
    return decoder->has_ended && decoder->cinfo.output_scanline > decoder->first_row ? CJPEGStatusDone : status;
}

CJPEGStatus cjpeg_decoder_read_rows(CJPEGDecoder *decoder, uint8_t *rgba, uint32_t row_count) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    if (decoder->has_ended) return CJPEGStatusIncomplete;
    decoder->first_row = cjpeg_decoder_row_count(decoder);
    if (setjmp(decoder->errors.escape)) return status_after_rows(decoder);
    size_t row_byte_count = (size_t)cinfo->output_width * 4;
    uint32_t regular_count = 0;
    if (decoder->reduced != NULL) {
        regular_count = read_regular_rows(decoder, rgba, row_count);
        if (regular_count == row_count) return CJPEGStatusDone;
        hand_over(decoder, rgba + regular_count * row_byte_count);
    }
    rgba += regular_count * row_byte_count;
    for (uint32_t left = row_count - regular_count; left > 0;) {
        JSAMPROW rows[max_rows_per_call];
        JDIMENSION wanted = left < max_rows_per_call ? left : max_rows_per_call;
        for (JDIMENSION index = 0; index < wanted; index++) rows[index] = rgba + index * row_byte_count;
        JDIMENSION count = cinfo->data_precision > 8 ? deep_read_rows(decoder, rows, wanted)
                                                     : jpeg_read_scanlines(cinfo, rows, wanted);
        if (count == 0) return decoder->is_growing ? CJPEGStatusSuspended : CJPEGStatusCorrupt;
        if (cinfo->out_color_space == JCS_CMYK) {
            (decoder->options.keeps_inks ? normalize_inks : convert_inks)(rgba, (size_t)count * cinfo->output_width);
        }
        rgba += count * row_byte_count;
        left -= count;
    }
    return CJPEGStatusDone;
}
