#pragma once

#include <stdlib.h>

// States, beside a store to memory, why it stays in bounds. Checked by the fuzzer.
#ifdef CHECKS_BOUNDS
#define BOUND(condition) ((condition) ? (void)0 : abort())
#else
#define BOUND(condition) ((void)0)
#endif
