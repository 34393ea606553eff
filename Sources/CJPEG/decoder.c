#include "errors.h"
#include "scans.h"

#include <jerror.h>
#include <stdlib.h>

enum { most_rows_a_call = 16, most_warnings = 10000 };

struct CJPEGDecoder {
    struct jpeg_decompress_struct cinfo;
    struct errors errors;
    struct jpeg_source_mgr source;
    /// The bytes that `source` does not have yet: none unless some are to be left out.
    struct scans scans;
    struct jpeg_progress_mgr progress;
    CJPEGDecodeOptions options;
    /// Whether the header is behind, the bytes ran out, and libjpeg was made to see the picture's end there.
    bool is_started, is_exhausted, is_cut;
};

/// Whether each part of the picture has some data.
static bool has_whole_scan(const struct jpeg_decompress_struct *cinfo) {
    return cinfo->input_scan_number > 1
        || (cinfo->input_scan_number == 1 && cinfo->input_iMCU_row >= cinfo->total_iMCU_rows);
}

static void init_source(j_decompress_ptr cinfo) {}

static boolean fill_input_buffer(j_decompress_ptr cinfo) {
    static const JOCTET end[] = {0xFF, JPEG_EOI};
    struct CJPEGDecoder *decoder = cinfo->client_data;
    cinfo->src->bytes_in_buffer = scans_next(&decoder->scans, &cinfo->src->next_input_byte);
    if (cinfo->src->bytes_in_buffer > 0) return TRUE;
    // Huffman decoding says when it misses bits (see emit_message); arithmetic decoding goes on in silence.
    if (!decoder->is_started || (cinfo->arith_code && !has_whole_scan(cinfo))) {
        errors_leave(&decoder->errors, CJPEGStatusIncomplete);
    }
    decoder->is_exhausted = true;
    cinfo->src->next_input_byte = end;
    cinfo->src->bytes_in_buffer = sizeof end;
    return TRUE;
}

static void skip_input_data(j_decompress_ptr cinfo, long count) {
    if (count <= 0) return;
    size_t skipped = (size_t)count < cinfo->src->bytes_in_buffer ? (size_t)count : cinfo->src->bytes_in_buffer;
    cinfo->src->next_input_byte += skipped;
    cinfo->src->bytes_in_buffer -= skipped;
}

static void term_source(j_decompress_ptr cinfo) {}

/// Damage inside a file is tolerated within measure; a first scan that is not all there is not.
static void emit_message(j_common_ptr cinfo, int level) {
    struct CJPEGDecoder *decoder = cinfo->client_data;
    if (level >= 0) return;
    if (decoder->is_exhausted && cinfo->err->msg_code == JWRN_HIT_MARKER && !has_whole_scan(&decoder->cinfo)) {
        errors_leave(&decoder->errors, CJPEGStatusIncomplete);
    }
    if (++cinfo->err->num_warnings > most_warnings) cinfo->err->error_exit(cinfo);
}

static void progress_monitor(j_common_ptr cinfo) {
    struct CJPEGDecoder *decoder = cinfo->client_data;
    const CJPEGDecodeOptions *options = &decoder->options;
    if (options->is_cancelled(options->context)) errors_leave(&decoder->errors, CJPEGStatusCancelled);
    if (decoder->cinfo.input_scan_number + decoder->scans.dropped_count > options->scan_limit) {
        errors_leave(&decoder->errors, CJPEGStatusTooManyScans);
    }
}

CJPEGDecoder *cjpeg_decoder_create(const uint8_t *bytes, size_t count) {
    struct CJPEGDecoder *decoder = calloc(1, sizeof *decoder);
    if (decoder == NULL) return NULL;
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    cinfo->err = errors_prepare(&decoder->errors);
    if (setjmp(decoder->errors.escape)) {
        cjpeg_decoder_destroy(decoder);
        return NULL;
    }
    jpeg_create_decompress(cinfo);
    cinfo->client_data = decoder;
    cinfo->err->emit_message = emit_message;
    decoder->progress.progress_monitor = progress_monitor;
    decoder->source = (struct jpeg_source_mgr){
        .next_input_byte = bytes,
        .bytes_in_buffer = count,
        .init_source = init_source,
        .fill_input_buffer = fill_input_buffer,
        .skip_input_data = skip_input_data,
        .resync_to_restart = jpeg_resync_to_restart,
        .term_source = term_source,
    };
    cinfo->src = &decoder->source;
    return decoder;
}

void cjpeg_decoder_destroy(CJPEGDecoder *decoder) {
    jpeg_destroy_decompress(&decoder->cinfo);
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

CJPEGStatus cjpeg_decoder_read_header(CJPEGDecoder *decoder, CJPEGHeader *header) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    if (setjmp(decoder->errors.escape)) return decoder->errors.status;
    jpeg_read_header(cinfo, TRUE);
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
    header->coefficient_byte_count = coefficient_byte_count(cinfo);
    return CJPEGStatusDone;
}

static bool is_of_dc_alone(const jpeg_component_info *component) {
#if JPEG_LIB_VERSION >= 70
    return component->DCT_h_scaled_size == 1 && component->DCT_v_scaled_size == 1;
#else
    return component->DCT_scaled_size == 1;
#endif
}

/// Takes the bytes behind the header from libjpeg, to give them back without the scans that are needless.
static void drop_needless_scans(struct CJPEGDecoder *decoder) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    jpeg_calc_output_dimensions(cinfo);
    bool is_needed[256] = {false};
    for (int index = 0; index < cinfo->num_components; index++) {
        const jpeg_component_info *component = &cinfo->comp_info[index];
        // Identifiers may occur twice in a broken file.
        is_needed[component->component_id & 255] |= !is_of_dc_alone(component);
    }
    for (int index = 0; index < 256; index++) decoder->scans.is_needless[index] = !is_needed[index];
    decoder->scans.next = cinfo->src->next_input_byte;
    decoder->scans.end = cinfo->src->next_input_byte + cinfo->src->bytes_in_buffer;
    cinfo->src->bytes_in_buffer = 0;
}

/// After an error between two scans where the bytes ran out: makes libjpeg see the end of the picture there.
static bool cut(struct CJPEGDecoder *decoder) {
    bool has_run_out = decoder->errors.status == CJPEGStatusCorrupt && decoder->is_exhausted;
    if (!has_run_out || decoder->is_cut || !has_whole_scan(&decoder->cinfo)) return false;
    decoder->is_cut = true;
    decoder->cinfo.unread_marker = JPEG_EOI;
    return true;
}

CJPEGStatus cjpeg_decoder_start(CJPEGDecoder *decoder, const CJPEGDecodeOptions *options) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    decoder->options = *options;
    cinfo->progress = &decoder->progress;
    cinfo->scale_num = (unsigned)options->eighths;
    cinfo->scale_denom = 8;
    if (setjmp(decoder->errors.escape) && !cut(decoder)) return decoder->errors.status;
    if (!decoder->is_started && cinfo->progressive_mode) drop_needless_scans(decoder);
    decoder->is_started = true;
    jpeg_start_decompress(cinfo);
    return CJPEGStatusDone;
}

/// Makes RGBA of inks in place. Adobe's programs store the complement of each ink: then a channel is `c * k / 255`, rounded.
static void convert_inks(uint8_t *pixels, size_t pixel_count, bool are_inverted) {
    uint8_t flip = are_inverted ? 0 : 255;
    for (uint8_t *pixel = pixels; pixel < pixels + 4 * pixel_count; pixel += 4) {
        unsigned key = pixel[3] ^ flip;
        for (int channel = 0; channel < 3; channel++) {
            pixel[channel] = (uint8_t)(((pixel[channel] ^ flip) * key + 127) / 255);
        }
        pixel[3] = 255;
    }
}

CJPEGStatus cjpeg_decoder_read_rows(CJPEGDecoder *decoder, uint8_t *rgba, uint32_t row_count) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    if (setjmp(decoder->errors.escape)) return decoder->errors.status;
    size_t row_byte_count = (size_t)cinfo->output_width * 4;
    for (uint32_t left = row_count; left > 0;) {
        JSAMPROW rows[most_rows_a_call];
        JDIMENSION wanted = left < most_rows_a_call ? left : most_rows_a_call;
        for (JDIMENSION index = 0; index < wanted; index++) rows[index] = rgba + index * row_byte_count;
        JDIMENSION count = jpeg_read_scanlines(cinfo, rows, wanted);
        if (count == 0) return CJPEGStatusCorrupt;
        if (cinfo->out_color_space == JCS_CMYK) {
            convert_inks(rgba, (size_t)count * cinfo->output_width, cinfo->saw_Adobe_marker);
        }
        rgba += count * row_byte_count;
        left -= count;
    }
    return CJPEGStatusDone;
}
