#include <isa-l.h>
typedef struct inflate_state library;
#include "stream_inflater.h"

static void library_start(library *library) {
    isal_inflate_init(library);
    library->crc_flag = ISAL_ZLIB;
}

static void library_stop(library *library) {}

static library_result library_run(inflater *inflater) {
    library *library = &inflater->library;
    library->next_in = inflater->next;
    library->avail_in = inflater->left;
    library->next_out = inflater->output + inflater->produced;
    library->avail_out = inflater->capacity - inflater->produced;
    int code = isal_inflate(library);
    inflater->next = library->next_in;
    inflater->left = library->avail_in;
    inflater->produced = inflater->capacity - library->avail_out;
    if (code < 0) return LIBRARY_FAILED;
    return library->block_state == ISAL_BLOCK_FINISH ? LIBRARY_ENDED : LIBRARY_CONTINUES;
}
