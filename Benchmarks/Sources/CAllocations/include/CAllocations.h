#pragma once

#include <stdint.h>

// How often the process has asked for memory so far, on all threads. What links this module calls its `malloc`, which counts
// and goes on to the C library's; only with glibc, elsewhere the answer is always 0.
uint64_t allocation_count(void);
