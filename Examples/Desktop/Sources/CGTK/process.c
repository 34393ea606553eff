#include "CGTK.h"

#include <stdio.h>

#if defined(__GLIBC__)
#include <malloc.h>
size_t darkroom_allocated_memory(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}
#else
size_t darkroom_allocated_memory(void) { return 0; }
#endif

void darkroom_write_lines_at_once(void) { setvbuf(stdout, NULL, _IOLBF, 0); }
