#include "decoder.h"

#include <jerror.h>

enum { max_warnings = 10000 };

bool decoder_has_whole_scan(const struct jpeg_decompress_struct *cinfo) {
    return cinfo->input_scan_number > 1
        || (cinfo->input_scan_number == 1 && cinfo->input_iMCU_row >= cinfo->total_iMCU_rows);
}

bool decoder_has_ended_early(struct CJPEGDecoder *decoder) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    int marker = cinfo->unread_marker;
    if (marker == 0 || decoder_has_whole_scan(cinfo)) return false;
    // Later scans may show what this one lacks.
    if (jpeg_has_multiple_scans(cinfo)) return marker == JPEG_EOI;
    if (cinfo->restart_interval == 0) return true;
    // libjpeg passes the others at the next restart.
    bool is_restart = marker >= JPEG_RST0 && marker <= JPEG_RST0 + 7;
    return marker >= 0xC0 && !is_restart;
}

/// Whether a warning is about damage that affects pixels.
static bool is_damage(const struct CJPEGDecoder *decoder, int code) {
    switch (code) {
    case JWRN_ARITH_BAD_CODE:
    case JWRN_BOGUS_PROGRESSION:
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_MUST_RESYNC:
        return true;
    case JWRN_EXTRANEOUS_DATA:
        // Between the segments of the header, such data are harmless.
        return decoder->is_started;
    default:
        return false;
    }
}

void decoder_emit_message(j_common_ptr cinfo, int level) {
    struct CJPEGDecoder *decoder = cinfo->client_data;
    int code = cinfo->err->msg_code;
    if (level >= 0) return;
    if (code == JWRN_HIT_MARKER) {
        if (decoder_has_ended_early(decoder)) errors_leave(&decoder->errors, CJPEGStatusIncomplete);
        *(decoder->cinfo.unread_marker == JPEG_EOI ? &decoder->is_cut : &decoder->lacks_blocks) = true;
    }
    if (decoder->damage[0] == 0 && is_damage(decoder, code)) cinfo->err->format_message(cinfo, decoder->damage);
    if (++cinfo->err->num_warnings > max_warnings) cinfo->err->error_exit(cinfo);
}

bool cjpeg_decoder_is_damaged(CJPEGDecoder *decoder) {
    return decoder->errors.manager.num_warnings > 0 || source_has_read_ambiguous_data(decoder);
}

/// Whether coefficients that affect pixels have not been read, or not to their last bit.
static bool lacks_coefficients(const struct CJPEGDecoder *decoder) {
    const struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    for (int index = 0; index < cinfo->num_components; index++) {
        const jpeg_component_info *component = &cinfo->comp_info[index];
        // Each scan of a sequential file has all of them. libjpeg keeps the quantizers when the first one begins.
        if (component->quant_table == NULL) return true;
        if (!cinfo->progressive_mode || cinfo->coef_bits == NULL) continue;
        for (int place = 0; place < (decoder_needs_only_dc(component) ? 1 : DCTSIZE2); place++) {
            if (cinfo->coef_bits[index][place] != 0) return true;
        }
    }
    return false;
}

bool cjpeg_decoder_is_truncated(CJPEGDecoder *decoder) {
    // The rows of a single scan are complete, or their end was reported.
    if (!decoder->is_started || !jpeg_has_multiple_scans(&decoder->cinfo)) return false;
    // If scans are dropped, what is missing at the end may have no effect.
    return decoder->is_cut || (decoder->is_exhausted && !decoder->drops_scans) || lacks_coefficients(decoder);
}

bool cjpeg_decoder_lacks_blocks(const CJPEGDecoder *decoder) { return decoder->lacks_blocks; }

const char *cjpeg_decoder_damage(const CJPEGDecoder *decoder) { return decoder->damage; }
