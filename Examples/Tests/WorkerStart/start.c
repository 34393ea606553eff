#include "CWorkerStart.h"

#include <stdlib.h>

/// Works for another process, and never returns. It is in Swift, and not part of every program of tests.
extern void darkroom_run_test_worker(void) __attribute__((weak));

// The tests have no `main` of their own.
__attribute__((constructor)) static void run_worker(void) {
    if (getenv("DARKROOM_WORKER") && darkroom_run_test_worker) darkroom_run_test_worker();
}
