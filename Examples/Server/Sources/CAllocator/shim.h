#ifdef __linux__
#include <malloc.h>
#endif

/// Bounds the freed memory that glibc retains: at most `heap_count` heaps (arenas) with at most `kept_byte_count` bytes
/// at the end of each; blocks of `mapped_byte_count` bytes or more are mapped and unmapped individually.
///
/// By default glibc uses up to eight heaps per core, and raises the other two bounds to 64 and 32 MiB when it sees
/// large blocks.
static inline void allocator_keep_small(int heap_count, int kept_byte_count, int mapped_byte_count) {
#ifdef M_ARENA_MAX
    mallopt(M_ARENA_MAX, heap_count);
    mallopt(M_TRIM_THRESHOLD, kept_byte_count);
    mallopt(M_MMAP_THRESHOLD, mapped_byte_count);
#else
    (void)heap_count, (void)kept_byte_count, (void)mapped_byte_count;
#endif
}
