// Tells the thread sanitizer what Swift's Mutex orders. Its fast paths are compiled into the code that uses it, but a
// contended lock is handed over inside libswiftSynchronization, which is not instrumented: without this library, accesses
// that a Mutex orders are reported as races (Swift 6.3, Linux).
//
// It is loaded before libswiftSynchronization, by LD_PRELOAD, and replaces the two functions that the fast paths call.
// If a later Swift has others, it has no effect.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef __attribute__((swiftcall)) void Lock(uint32_t thread, __attribute__((swift_context)) void *handle);
typedef __attribute__((swiftcall)) void Unlock(__attribute__((swift_context)) void *handle);

// Functions of the sanitizer, which programs without it do not have.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

Lock lockSlowly __asm__(LOCK);
Unlock unlockSlowly __asm__(UNLOCK);

__attribute__((swiftcall)) void lockSlowly(uint32_t thread, __attribute__((swift_context)) void *handle) {
    static Lock *next;
    if (!next) next = (Lock *)dlsym(RTLD_NEXT, LOCK);
    next(thread, handle);
    if (__tsan_acquire) __tsan_acquire(handle);
}

__attribute__((swiftcall)) void unlockSlowly(__attribute__((swift_context)) void *handle) {
    static Unlock *next;
    if (!next) next = (Unlock *)dlsym(RTLD_NEXT, UNLOCK);
    if (__tsan_release) __tsan_release(handle);
    next(handle);
}
