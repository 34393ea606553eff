#include "decoder.h"

#include <jerror.h>

enum { max_warnings = 10000 };

bool decoder_has_whole_scan(const struct jpeg_decompress_struct *cinfo) {
    return cinfo->input_scan_number > 1
        || (cinfo->input_scan_number == 1 && cinfo->input_iMCU_row >= cinfo->total_iMCU_rows);
}

bool decoder_has_ended_early(struct CJPEGDecoder *decoder, int marker) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    if (marker == 0 || decoder_has_whole_scan(cinfo)) return false;
    // Later scans may show what this one lacks.
    if (jpeg_has_multiple_scans(cinfo)) return marker == JPEG_EOI;
    if (cinfo->restart_interval == 0) return true;
    // libjpeg passes the others at the next restart.
    bool is_restart = marker >= JPEG_RST0 && marker <= JPEG_RST0 + 7;
    return marker >= 0xC0 && !is_restart;
}

void decoder_lack_data(struct CJPEGDecoder *decoder, int marker) {
    const struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    bool is_whole = cinfo->input_iMCU_row >= cinfo->total_iMCU_rows;
    bool is_restart = marker >= JPEG_RST0 && marker <= JPEG_RST0 + 7;
    // Bits that refine DC coefficients are not modelled: any number of them at the end may be 0, and left out.
    if (is_whole || is_restart || (cinfo->progressive_mode && cinfo->Ss == 0 && cinfo->Ah > 0)) return;
    if (decoder_has_ended_early(decoder, marker)) errors_leave(&decoder->errors, CJPEGStatusIncomplete);
    *(marker == JPEG_EOI ? &decoder->is_cut : &decoder->lacks_blocks) = true;
}

bool decoder_is_in_cut_segment(const struct CJPEGDecoder *decoder) {
    size_t count = decoder->lent_count;
    const uint8_t *end = decoder->lent + count, *at = decoder->source.next_input_byte;
    if (decoder->is_growing || count < 2 || end[-2] != 0xFF || end[-1] != JPEG_EOI) return false;
    // Larger if libjpeg reads other bytes than those of the file.
    size_t left = (size_t)((uintptr_t)end - (uintptr_t)at);
    // libjpeg has read all of a start of a scan before it finds an error in it. In others, it stays at their length.
    if (decoder->cinfo.unread_marker == 0) return left <= 1;
    return left >= 2 && left <= count && (size_t)(at[0] << 8 | at[1]) + 1 >= left;
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

/// Whether the message is about zeros between the data of a scan and a marker, which are not in the file.
static bool is_about_zeros(const struct CJPEGDecoder *decoder) {
    const struct jpeg_error_mgr *errors = &decoder->errors.manager;
    return decoder->arithmetic.is_used && errors->msg_code == JWRN_EXTRANEOUS_DATA
        && errors->msg_parm.i[0] <= arithmetic_zero_count;
}

void decoder_emit_message(j_common_ptr cinfo, int level) {
    struct CJPEGDecoder *decoder = cinfo->client_data;
    int code = cinfo->err->msg_code;
    if (level >= 0 || is_about_zeros(decoder)) return;
    if (code == JWRN_ARITH_BAD_CODE) {
        // libjpeg skips the rest of the data. If they are cut, it has read zeros.
        decoder->lacks_blocks = true;
        if (decoder->arithmetic.is_after_data) {
            decoder_lack_data(decoder, arithmetic_marker(&decoder->arithmetic, &decoder->scans));
        }
    }
    if (code == JWRN_HIT_MARKER) {
        if (decoder_has_ended_early(decoder, decoder->cinfo.unread_marker)) errors_leave(&decoder->errors, CJPEGStatusIncomplete);
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
