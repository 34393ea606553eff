#include "CJPEG.h"

#include <stdio.h>

#include <jpeglib.h>

#define TEXT(words) #words
#define TEXT_OF(macro) TEXT(macro)

#ifdef LIBJPEG_TURBO_VERSION
const char *cjpeg_library_name(void) { return "libjpeg-turbo"; }
const char *cjpeg_library_version(void) { return TEXT_OF(LIBJPEG_TURBO_VERSION); }
#else
const char *cjpeg_library_name(void) { return "libjpeg"; }
const char *cjpeg_library_version(void) { return TEXT_OF(JPEG_LIB_VERSION); }
#endif
