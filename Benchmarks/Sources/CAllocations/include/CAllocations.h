#pragma once

#include <stdint.h>

// Returns the number of allocations of the process so far, on all threads, without those of libdispatch. Linking this
// module replaces `malloc` with a version that counts and forwards to the C library. Only with glibc; elsewhere the result is
// always 0.
uint64_t allocation_count(void);
