// Prints, when the program ends, for how long its threads have waited for each Mutex, by the function that locks it.
//
// Loaded by LD_PRELOAD before libswiftSynchronization, whose fast paths are compiled into the code that uses it (Swift
// 6.3, Linux). They call the function replaced here only if another thread holds the lock.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "places.h"

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"

typedef __attribute__((swiftcall)) void Lock(uint32_t thread, __attribute__((swift_context)) void *handle);

Lock lockSlowly __asm__(LOCK);

// The key of a place is the address of the caller.
static struct place {
    uint64_t count, nanoseconds, longest;
} places[place_count];

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

__attribute__((swiftcall)) void lockSlowly(uint32_t thread, __attribute__((swift_context)) void *handle) {
    static Lock *next;
    if (!next) next = (Lock *)dlsym(RTLD_NEXT, LOCK);
    uint64_t start = now();
    next(thread, handle);
    uint64_t waited = now() - start;
    struct place *place = &places[place_of((uintptr_t)__builtin_return_address(0))];
    __atomic_fetch_add(&place->count, 1, __ATOMIC_RELAXED);
    count_time(waited, &place->nanoseconds, &place->longest);
}

// Lines of: count, nanoseconds, the longest wait, the address of the caller in its file, and that file.
__attribute__((destructor)) static void report(void) {
    const char *path = getenv("CONTENDED_LOCKS");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    for (size_t index = 0; index < place_count; index++) {
        if (places[index].count == 0) continue;
        Dl_info info = {0};
        struct place place = places[index];
        if (!keys[index] || !dladdr((void *)(uintptr_t)keys[index], &info)) info = (Dl_info){.dli_fname = "?"};
        fprintf(file, "%lu %lu %lu %lu %s\n", place.count, place.nanoseconds, place.longest,
                keys[index] - (uintptr_t)info.dli_fbase, info.dli_fname);
    }
    fclose(file);
}
