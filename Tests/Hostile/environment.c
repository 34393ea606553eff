#define _GNU_SOURCE
#include "CHostile.h"

#ifdef __linux__

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// The worker of the tests: the program of the tests itself, in which nothing of theirs runs. The name under which it is
// started says which environment it should find.

/// Runs the worker. It is in Swift.
extern void darkroom_run_test_worker(void) __attribute__((weak));

typedef struct {
    struct sock_filter steps[128];
    unsigned short count;
} filter;

static void add(filter *filter, struct sock_filter step) { filter->steps[filter->count++] = step; }

static void refuse(filter *filter, uint32_t call, uint32_t error) {
    add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1));
    add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error));
}

static void start(filter *filter) {
    add(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)));
}

static void install(filter *filter) {
    add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    struct sock_fprog program = {filter->count, filter->steps};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) _exit(90);
}

/// A kernel without some calls.
static void lack(const uint32_t *calls, size_t count) {
    filter filter = {.count = 0};
    start(&filter);
    for (size_t i = 0; i < count; i++) refuse(&filter, calls[i], ENOSYS);
    install(&filter);
}

/// Calls that Docker's default profile refuses without privileges, and a worker might make.
static void act_like_docker(void) {
    static const uint32_t refused[] = {
        SYS_unshare, SYS_setns, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_ptrace, SYS_bpf, SYS_keyctl, SYS_add_key,
        SYS_request_key, SYS_perf_event_open, SYS_userfaultfd, SYS_kexec_load, SYS_init_module, SYS_move_pages, SYS_mbind,
        SYS_set_mempolicy, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_quotactl, SYS_syslog,
    };
    filter filter = {.count = 0};
    start(&filter);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) refuse(&filter, refused[i], EPERM);
    refuse(&filter, SYS_clone3, ENOSYS);
    // Threads and processes, but no namespaces.
    add(&filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3));
    add(&filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])));
    add(&filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x7E020000, 0, 1));
    add(&filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
    install(&filter);
}

/// Starts workers, and never returns. It is in Swift.
extern void darkroom_run_test_parent(void) __attribute__((weak));

__attribute__((constructor)) static void run_worker(void) {
    if (getenv("DARKROOM_TEST_PARENT") && darkroom_run_test_parent) darkroom_run_test_parent();
    if (!getenv("DARKROOM_WORKER") || !darkroom_run_test_worker) return;
    const char *path = (const char *)getauxval(AT_EXECFN);
    const char *slash = path ? strrchr(path, '/') : NULL;
    const char *name = slash ? slash + 1 : "";
    const uint32_t landlock[] = {444, 445, 446}, new_calls[] = {424, 434, 436, 444, 445, 446}, filters[] = {SYS_seccomp};
    if (!strcmp(name, "docker")) act_like_docker();
    if (!strcmp(name, "withoutLandlock")) lack(landlock, 3);
    if (!strcmp(name, "oldKernel")) lack(new_calls, 6);
    if (!strcmp(name, "withoutFilters")) lack(filters, 1);
    darkroom_run_test_worker();
}

#endif
