#pragma once

#include "../SystemJPEG/shim.h"
#include "CJPEG.h"

#include <setjmp.h>

/// Where libjpeg's errors jump to, and what is told of them.
struct errors {
    // First, so that libjpeg's pointer to it is a pointer to the whole.
    struct jpeg_error_mgr manager;
    // Set anew by each function of CJPEG.h that calls libjpeg.
    jmp_buf escape;
    CJPEGStatus status;
    char message[JMSG_LENGTH_MAX];
};

/// Makes `errors` ready for a libjpeg object, whose `err` becomes the result.
struct jpeg_error_mgr *errors_prepare(struct errors *errors);

/// Ends the running function of CJPEG.h with `status`.
_Noreturn void errors_leave(struct errors *errors, CJPEGStatus status);
