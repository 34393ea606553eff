#pragma once

#include "../System/JPEG/shim.h"
#include "CJPEG.h"

#include <setjmp.h>

/// The target of libjpeg's error jumps, with the status and message of the last error.
struct errors {
    // First, so that libjpeg's pointer to the manager is also a pointer to this struct.
    struct jpeg_error_mgr manager;
    // Set again by each function of CJPEG.h that calls libjpeg.
    jmp_buf escape;
    CJPEGStatus status;
    char message[JMSG_LENGTH_MAX];
};

/// Prepares `errors` for a libjpeg object and returns the value for its `err` field.
struct jpeg_error_mgr *errors_prepare(struct errors *errors);

/// Leaves the running function of CJPEG.h with `status`.
_Noreturn void errors_leave(struct errors *errors, CJPEGStatus status);
