// dl_iterate_phdr is an extension of glibc.
#define _GNU_SOURCE

#include "CAllocations.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_uint_fast64_t count;

uint64_t allocation_count(void) { return atomic_load_explicit(&count, memory_order_relaxed); }

#ifdef __GLIBC__

#include <link.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

// Where libdispatch is loaded. Both are 0 until the constructor below has run.
static uintptr_t dispatch_start, dispatch_end;

static int find_dispatch(struct dl_phdr_info *library, size_t size, void *context) {
    (void)size, (void)context;
    if (strstr(library->dlpi_name, "/libdispatch.so") == NULL) return 0;
    for (size_t number = 0; number < library->dlpi_phnum; number++) {
        const ElfW(Phdr) *segment = &library->dlpi_phdr[number];
        if (segment->p_type != PT_LOAD || (segment->p_flags & PF_X) == 0) continue;
        dispatch_start = library->dlpi_addr + segment->p_vaddr;
        dispatch_end = dispatch_start + segment->p_memsz;
    }
    return 1;
}

__attribute__((constructor)) static void locate_dispatch(void) { dl_iterate_phdr(find_dispatch, NULL); }

// libdispatch allocates a continuation for each job unless the cache of the thread has one, which depends on the threads
// that the system happened to run before. A hit on disk took 17 allocations in some processes and 18 in others.
static void count_unless_by_dispatch(const void *caller) {
    uintptr_t address = (uintptr_t)caller;
    if (address >= dispatch_start && address < dispatch_end) return;
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
}

#define COUNT() count_unless_by_dispatch(__builtin_return_address(0))

void *malloc(size_t size) {
    COUNT();
    return __libc_malloc(size);
}

void *calloc(size_t item_count, size_t size) {
    COUNT();
    return __libc_calloc(item_count, size);
}

void *realloc(void *old, size_t size) {
    COUNT();
    return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    COUNT();
    return __libc_memalign(alignment, size);
}

void *memalign(size_t alignment, size_t size) {
    COUNT();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **made, size_t alignment, size_t size) {
    COUNT();
    void *memory = __libc_memalign(alignment, size);
    if (memory == NULL) return ENOMEM;
    *made = memory;
    return 0;
}

#endif
