#define _GNU_SOURCE
#include "CIsolation.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// Limits.

static bool set_limit(int resource, rlim_t value) {
    struct rlimit limit = {value, value};
    return setrlimit(resource, &limit) == 0;
}

static uint64_t mapped_byte_count(void) {
    FILE *file = fopen("/proc/self/statm", "re");
    unsigned long pages = 0;
    if (!file) return 0;
    if (fscanf(file, "%lu", &pages) != 1) pages = 0;
    fclose(file);
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static bool limit_resources(const darkroom_restrictions *restrictions) {
    bool is_limited = set_limit(RLIMIT_CORE, 0) && set_limit(RLIMIT_FSIZE, 0) && set_limit(RLIMIT_MEMLOCK, 0) &&
                      set_limit(RLIMIT_MSGQUEUE, 0) && set_limit(RLIMIT_NOFILE, 64);
    // Threads count as processes. Root is exempt: there, only the filter forbids others.
    if (!restrictions->allows_threads) is_limited = is_limited && set_limit(RLIMIT_NPROC, 0);
    if (darkroom_is_address_sanitized() || darkroom_is_thread_sanitized()) return is_limited;
    uint64_t mapped = mapped_byte_count();
    return is_limited && mapped > 0 && set_limit(RLIMIT_AS, mapped + restrictions->address_space);
}

/// Gives up what root may do and other users may not.
static void drop_capabilities(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0, 0, 0}};
    if (geteuid() == 0) syscall(SYS_capset, &header, none);
}

// Files, by Landlock. The numbers and structures are the same on all architectures.

#define LANDLOCK_CREATE_RULESET 444
#define LANDLOCK_ADD_RULE 445
#define LANDLOCK_RESTRICT_SELF 446
#define READ_FILE 4
#define READ_FOLDER 8

int darkroom_landlock_version(void) {
    long version = syscall(LANDLOCK_CREATE_RULESET, NULL, 0, 1);
    return version < 0 ? 0 : (int)version;
}

static bool permit_reading(int rules, const char *path) {
    struct __attribute__((packed)) { uint64_t access; int32_t folder; } rule = {READ_FILE | READ_FOLDER, -1};
    rule.folder = open(path, O_PATH | O_CLOEXEC);
    // What is not there cannot be read.
    if (rule.folder < 0) return true;
    bool is_added = syscall(LANDLOCK_ADD_RULE, rules, 1, &rule, 0) == 0;
    close(rule.folder);
    return is_added;
}

static bool confine_files(const darkroom_restrictions *restrictions) {
    int version = darkroom_landlock_version();
    if (version < 1) return false;
    struct { uint64_t files, network, scopes; } handled = {0x1fff, 0, 0};
    if (version >= 2) handled.files |= 1 << 13;
    if (version >= 3) handled.files |= 1 << 14;
    if (version >= 5) handled.files |= 1 << 15;
    if (version >= 4) handled.network = 3;
    if (version >= 6) handled.scopes = 3;
    size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    int rules = (int)syscall(LANDLOCK_CREATE_RULESET, &handled, size, 0);
    if (rules < 0) return false;
    bool is_confined = true;
    for (size_t i = 0; i < restrictions->readable_folder_count; i++) {
        is_confined = is_confined && permit_reading(rules, restrictions->readable_folders[i]);
    }
    is_confined = is_confined && syscall(LANDLOCK_RESTRICT_SELF, rules, 0) == 0;
    close(rules);
    return is_confined;
}

// System calls, by seccomp.

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

/// Calls that work only on what the process has already.
static const uint16_t allowed_calls[] = {
    SYS_read, SYS_write, SYS_close, SYS_munmap, SYS_mremap, SYS_brk, SYS_futex, SYS_recvmsg, SYS_sendmsg,
    SYS_clock_gettime, SYS_gettimeofday, SYS_getrandom, SYS_sched_yield, SYS_getpid, SYS_gettid, SYS_restart_syscall,
    SYS_exit_group, SYS_exit, SYS_sched_getaffinity, SYS_sigaltstack,
};

/// Calls that libraries try, and whose failure they handle. Signals cannot be blocked, so that the one at the end of the
/// processor time ends the process. Therefore, rt_sigreturn is not allowed either: it sets which are blocked.
static const struct { uint16_t call, error; } refused_calls[] = {
    {SYS_openat, EACCES}, {SYS_newfstatat, EACCES}, {SYS_statx, EACCES}, {SYS_fstat, EACCES}, {SYS_readlinkat, EACCES},
    {SYS_faccessat, EACCES}, {SYS_statfs, EACCES}, {SYS_getcwd, EACCES},
#ifdef SYS_open
    {SYS_open, EACCES}, {SYS_stat, EACCES}, {SYS_lstat, EACCES}, {SYS_readlink, EACCES}, {SYS_access, EACCES},
#endif
    {SYS_clone3, ENOSYS}, {SYS_prctl, EPERM}, {SYS_ioctl, ENOTTY}, {SYS_sysinfo, EPERM}, {SYS_uname, EPERM},
    {SYS_getrusage, EPERM}, {SYS_rt_sigprocmask, EPERM},
};

/// Calls that threads need in addition.
static const uint16_t thread_calls[] = {
    SYS_set_robust_list, SYS_rseq, SYS_getpriority, SYS_sched_getscheduler, SYS_sched_getparam, SYS_sched_get_priority_min,
    SYS_sched_get_priority_max, SYS_clock_nanosleep,
};

/// Calls with which threads try to be scheduled otherwise. They would work on other processes of the user, too.
static const uint16_t refused_thread_calls[] = {
    SYS_setpriority, SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr, SYS_sched_getattr,
    SYS_sched_setaffinity,
};

/// Calls that read files, which Landlock confines to some folders.
static const uint16_t file_calls[] = {
    SYS_newfstatat, SYS_statx, SYS_fstat, SYS_readlinkat, SYS_faccessat, SYS_statfs, SYS_fstatfs, SYS_getdents64, SYS_lseek,
    SYS_pread64, SYS_readv, SYS_getcwd, SYS_fadvise64, SYS_readahead, SYS_faccessat2,
#ifdef SYS_open
    SYS_stat, SYS_lstat, SYS_readlink, SYS_access,
#endif
};

/// Advice that allocators and libraries give. Other advice lets root take memory away from the machine.
static const uint16_t allowed_advice[] = {
    MADV_NORMAL, MADV_RANDOM, MADV_SEQUENTIAL, MADV_WILLNEED, MADV_DONTNEED, MADV_FREE, MADV_HUGEPAGE, MADV_NOHUGEPAGE,
};

/// The flags of `clone` that make namespaces.
#define NEW_NAMESPACES 0x7E020000

#define COUNT(list) (sizeof list / sizeof *list)
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)
#define IF_EQUAL(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, yes, no)
#define IF_ANY_BIT(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, value, yes, no)
#define IF_AT_LEAST(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, value, yes, no)

typedef struct {
    struct sock_filter steps[256];
    unsigned short count;
} filter;

static void add(filter *filter, struct sock_filter step) { filter->steps[filter->count++] = step; }

static void add_action(filter *filter, uint32_t call, uint32_t action) {
    add(filter, (struct sock_filter)IF_EQUAL(call, 0, 1));
    add(filter, (struct sock_filter)RETURN(action));
}

static void allow(filter *filter, const uint16_t *calls, size_t count) {
    for (size_t i = 0; i < count; i++) add_action(filter, calls[i], SECCOMP_RET_ALLOW);
}

/// Takes `action` on `call` if any of `bits` is set in its argument `index`, and otherwise allows it.
static void allow_without(filter *filter, uint32_t call, unsigned index, uint32_t bits, uint32_t action) {
    add(filter, (struct sock_filter)IF_EQUAL(call, 0, 4));
    add(filter, (struct sock_filter)LOAD(args[index]));
    add(filter, (struct sock_filter)IF_ANY_BIT(bits, 0, 1));
    add(filter, (struct sock_filter)RETURN(action));
    add(filter, (struct sock_filter)RETURN(SECCOMP_RET_ALLOW));
}

/// Memory that is never executable.
static void add_memory(filter *filter) {
    allow_without(filter, SYS_mmap, 2, PROT_EXEC, SECCOMP_RET_KILL_PROCESS);
    allow_without(filter, SYS_mprotect, 2, PROT_EXEC, SECCOMP_RET_KILL_PROCESS);
    add(filter, (struct sock_filter)IF_EQUAL(SYS_madvise, 0, 2 + 2 * COUNT(allowed_advice)));
    add(filter, (struct sock_filter)LOAD(args[2]));
    allow(filter, allowed_advice, COUNT(allowed_advice));
    add(filter, (struct sock_filter)RETURN(SECCOMP_RET_ERRNO | EPERM));
}

/// Files that are opened for reading only: before its version 3, Landlock allows to truncate a file that may be read.
static void add_files(filter *filter) {
    const uint32_t writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
    allow(filter, file_calls, COUNT(file_calls));
    allow_without(filter, SYS_openat, 2, writing, SECCOMP_RET_ERRNO | EACCES);
#ifdef SYS_open
    allow_without(filter, SYS_open, 1, writing, SECCOMP_RET_ERRNO | EACCES);
#endif
}

/// Signals of the process to itself, such as that of `abort`.
static void add_signals(filter *filter) {
    add(filter, (struct sock_filter)IF_EQUAL(SYS_tgkill, 0, 4));
    add(filter, (struct sock_filter)LOAD(args[0]));
    add(filter, (struct sock_filter)IF_EQUAL((uint32_t)getpid(), 0, 1));
    add(filter, (struct sock_filter)RETURN(SECCOMP_RET_ALLOW));
    add(filter, (struct sock_filter)RETURN(SECCOMP_RET_KILL_PROCESS));
}

/// Threads of this process, but no other processes, and no namespaces. They cannot ignore the end of the processor time.
static void add_threads(filter *filter) {
    allow(filter, thread_calls, COUNT(thread_calls));
    for (size_t i = 0; i < COUNT(refused_thread_calls); i++) {
        add_action(filter, refused_thread_calls[i], SECCOMP_RET_ERRNO | EPERM);
    }
    add(filter, (struct sock_filter)IF_EQUAL(SYS_rt_sigaction, 0, 4));
    add(filter, (struct sock_filter)LOAD(args[0]));
    add(filter, (struct sock_filter)IF_EQUAL(SIGXCPU, 0, 1));
    add(filter, (struct sock_filter)RETURN(SECCOMP_RET_ERRNO | EPERM));
    add(filter, (struct sock_filter)RETURN(SECCOMP_RET_ALLOW));
    add(filter, (struct sock_filter)IF_EQUAL(SYS_clone, 0, 5));
    add(filter, (struct sock_filter)LOAD(args[0]));
    add(filter, (struct sock_filter)IF_ANY_BIT(NEW_NAMESPACES, 2, 0));
    add(filter, (struct sock_filter)IF_ANY_BIT(CLONE_THREAD, 0, 1));
    add(filter, (struct sock_filter)RETURN(SECCOMP_RET_ALLOW));
    add(filter, (struct sock_filter)RETURN(SECCOMP_RET_ERRNO | EPERM));
}

/// Descriptors are copied and asked for their flags. Other commands would have the kernel send signals to any process of the
/// user.
static void add_descriptors(filter *filter) {
    add(filter, (struct sock_filter)IF_EQUAL(SYS_fcntl, 0, 5));
    add(filter, (struct sock_filter)LOAD(args[1]));
    add(filter, (struct sock_filter)IF_EQUAL(F_DUPFD_CLOEXEC, 1, 0));
    add(filter, (struct sock_filter)IF_AT_LEAST(F_SETFL, 1, 0));
    add(filter, (struct sock_filter)RETURN(SECCOMP_RET_ALLOW));
    add(filter, (struct sock_filter)RETURN(SECCOMP_RET_ERRNO | EPERM));
}

static bool filter_calls(const darkroom_restrictions *restrictions, bool reads_files) {
    filter filter = {.count = 0};
    add(&filter, (struct sock_filter)LOAD(arch));
    add(&filter, (struct sock_filter)IF_EQUAL(ARCHITECTURE, 1, 0));
    add(&filter, (struct sock_filter)RETURN(SECCOMP_RET_KILL_PROCESS));
    add(&filter, (struct sock_filter)LOAD(nr));
#ifdef __x86_64__
    // The calls of x32.
    add(&filter, (struct sock_filter)IF_AT_LEAST(0x40000000, 0, 1));
    add(&filter, (struct sock_filter)RETURN(SECCOMP_RET_KILL_PROCESS));
#endif
    allow(&filter, allowed_calls, COUNT(allowed_calls));
    if (reads_files) add_files(&filter);
    for (size_t i = 0; i < COUNT(refused_calls); i++) {
        add_action(&filter, refused_calls[i].call, SECCOMP_RET_ERRNO | refused_calls[i].error);
    }
    // These replace the number of the call, and so end with decisions of their own.
    add_memory(&filter);
    add_signals(&filter);
    if (restrictions->allows_threads) add_threads(&filter);
    if (reads_files) add_descriptors(&filter);
    add(&filter, (struct sock_filter)RETURN(SECCOMP_RET_KILL_PROCESS));
    struct sock_fprog program = {filter.count, filter.steps};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

#else
static bool filter_calls(const darkroom_restrictions *restrictions, bool reads_files) { return false; }
#endif

int darkroom_restrict(const darkroom_restrictions *restrictions) {
    int layers = 0;
    if (limit_resources(restrictions)) layers |= darkroom_layer_limits;
    drop_capabilities();
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) layers |= darkroom_layer_no_new_privileges;
    if (confine_files(restrictions)) layers |= darkroom_layer_files;
    bool reads_files = restrictions->readable_folder_count > 0 && (layers & darkroom_layer_files);
    if (filter_calls(restrictions, reads_files)) layers |= darkroom_layer_system_calls;
    return layers;
}

#endif
