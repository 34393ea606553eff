#define _GNU_SOURCE
#include "CIsolation.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// Those of newer headers.
#define NO_EXECUTION 8U
#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

int darkroom_make_memory(size_t size) {
    const unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
    int memory = (int)syscall(SYS_memfd_create, "darkroom", flags | NO_EXECUTION);
    // Before Linux 6.3.
    if (memory < 0 && errno == EINVAL) memory = (int)syscall(SYS_memfd_create, "darkroom", flags);
    if (memory < 0) return -errno;
    if (ftruncate(memory, (off_t)size) || fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW)) {
        int error = errno;
        close(memory);
        return -error;
    }
    return memory;
}

int darkroom_forbid_new_writers(int memory) {
    return fcntl(memory, F_ADD_SEALS, F_SEAL_FUTURE_WRITE | F_SEAL_SEAL) ? errno : 0;
}

int darkroom_fill_memory(int memory, const void *bytes, size_t count) {
    const char *next = bytes;
    off_t position = 0;
    while (count > 0) {
        ssize_t written = pwrite(memory, next, count, position);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return written < 0 ? errno : EIO;
        next += written;
        position += written;
        count -= (size_t)written;
    }
    return fcntl(memory, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SEAL) ? errno : 0;
}

void *darkroom_map_memory(int memory, size_t size, bool is_writable) {
    void *start = mmap(NULL, size, is_writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, memory, 0);
    return start == MAP_FAILED ? NULL : start;
}

#endif
