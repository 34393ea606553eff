#include "errors.h"

#include <jerror.h>

static CJPEGStatus status_of(int code) {
    switch (code) {
    case JERR_OUT_OF_MEMORY:
    case JERR_NO_BACKING_STORE:
        return CJPEGStatusNoMemory;
    case JERR_INPUT_EMPTY:
    case JERR_INPUT_EOF:
        return CJPEGStatusIncomplete;
    case JERR_ARITH_NOTIMPL:
    case JERR_BAD_PRECISION:
    case JERR_CCIR601_NOTIMPL:
    case JERR_COMPONENT_COUNT:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_IMAGE_TOO_BIG:
    case JERR_NOTIMPL:
    case JERR_NOT_COMPILED:
    case JERR_SOF_UNSUPPORTED:
    case JERR_WIDTH_OVERFLOW:
        return CJPEGStatusUnsupported;
    default:
        return CJPEGStatusCorrupt;
    }
}

static void error_exit(j_common_ptr cinfo) {
    struct errors *errors = (struct errors *)cinfo->err;
    cinfo->err->format_message(cinfo, errors->message);
    errors_leave(errors, status_of(cinfo->err->msg_code));
}

// The default implementation prints to standard error.
static void output_message(j_common_ptr cinfo) {}

static void emit_message(j_common_ptr cinfo, int level) {}

struct jpeg_error_mgr *errors_prepare(struct errors *errors) {
    struct jpeg_error_mgr *manager = jpeg_std_error(&errors->manager);
    manager->error_exit = error_exit;
    manager->output_message = output_message;
    manager->emit_message = emit_message;
    return manager;
}

void errors_leave(struct errors *errors, CJPEGStatus status) {
    errors->status = status;
    longjmp(errors->escape, 1);
}
