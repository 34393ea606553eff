// zlib, or zlib-ng with -DZLIB_NG.
#ifdef ZLIB_NG
#include <zlib-ng.h>
typedef zng_stream library;
#define inflateInit zng_inflateInit
#define inflateEnd zng_inflateEnd
#define inflate zng_inflate
#else
#include <zlib.h>
typedef z_stream library;
#endif
#include "stream_inflater.h"

static void library_start(library *library) {
    memset(library, 0, sizeof *library);
    inflateInit(library);
}

static void library_stop(library *library) { inflateEnd(library); }

static library_result library_run(inflater *inflater) {
    library *library = &inflater->library;
    library->next_in = inflater->next;
    library->avail_in = inflater->left;
    library->next_out = inflater->output + inflater->produced;
    library->avail_out = inflater->capacity - inflater->produced;
    int code = inflate(library, Z_NO_FLUSH);
    inflater->next = (uint8_t *)library->next_in;
    inflater->left = library->avail_in;
    inflater->produced = inflater->capacity - library->avail_out;
    if (code == Z_STREAM_END) return LIBRARY_ENDED;
    return code == Z_OK || code == Z_BUF_ERROR ? LIBRARY_CONTINUES : LIBRARY_FAILED;
}
