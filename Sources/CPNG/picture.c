#include "CPNG.h"

#include <sys/mman.h>

uint8_t *cpng_picture_create(size_t count) {
    void *memory = mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (memory == MAP_FAILED) return NULL;
#ifdef MADV_HUGEPAGE
    // Page faults of small pages would take a considerable part of the decoding time.
    madvise(memory, count, MADV_HUGEPAGE);
#endif
    return memory;
}

void cpng_picture_destroy(uint8_t *picture, size_t count) { munmap(picture, count); }
