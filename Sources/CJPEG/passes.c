#include "decoder.h"

CJPEGStatus cjpeg_decoder_read_scan(CJPEGDecoder *decoder) {
    if (setjmp(decoder->errors.escape)) return decoder->errors.status;
    while (!decoder->is_at_end) {
        decoder_check(decoder);
        switch (jpeg_consume_input(&decoder->cinfo)) {
        case JPEG_SUSPENDED:
            decoder_restore_frame(decoder);
            return CJPEGStatusSuspended;
        case JPEG_REACHED_SOS:
            return CJPEGStatusDone;
        case JPEG_REACHED_EOI:
            decoder->is_at_end = true;
            break;
        default:
            break;
        }
    }
    return CJPEGStatusDone;
}

bool cjpeg_decoder_is_at_end(const CJPEGDecoder *decoder) { return decoder->is_at_end; }

CJPEGStatus cjpeg_decoder_start_pass(CJPEGDecoder *decoder) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    if (setjmp(decoder->errors.escape)) return decoder->errors.status;
    // Another scan has been read since that pass, so libjpeg need not suspend.
    if (decoder->is_in_pass && !jpeg_finish_output(cinfo)) return CJPEGStatusCorrupt;
    decoder->is_in_pass = true;
    // Smoothing estimates AC coefficients, none of which are visible at an eighth of the size.
    cinfo->do_block_smoothing = !decoder->is_at_end && decoder->options.eighths > 1;
    // Before the end of the file, the newest scan is incomplete.
    if (!jpeg_start_output(cinfo, cinfo->input_scan_number - (decoder->is_at_end ? 0 : 1))) return CJPEGStatusCorrupt;
    return CJPEGStatusDone;
}
