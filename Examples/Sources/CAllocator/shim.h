#ifdef __linux__
#include <malloc.h>
#endif

/// Bounds what glibc keeps of freed memory: heaps for at most `heap_count` threads, and at the end of each at most
/// `kept_byte_count` bytes; blocks from `mapped_byte_count` bytes on come from the system and go back to it.
///
/// Without it glibc has up to eight heaps a core, and raises the other two bounds to 64 and 32 MiB as it sees large blocks.
static inline void allocator_keep_small(int heap_count, int kept_byte_count, int mapped_byte_count) {
#ifdef M_ARENA_MAX
    mallopt(M_ARENA_MAX, heap_count);
    mallopt(M_TRIM_THRESHOLD, kept_byte_count);
    mallopt(M_MMAP_THRESHOLD, mapped_byte_count);
#else
    (void)heap_count, (void)kept_byte_count, (void)mapped_byte_count;
#endif
}
