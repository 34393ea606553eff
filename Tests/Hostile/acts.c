#define _GNU_SOURCE
#include "CHostile.h"

#ifdef __linux__

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Acts that end the process by themselves.

static int deep(int depth) {
    volatile char frame[4096];
    frame[0] = (char)depth;
    return deep(depth + 1) + frame[0];
}

static int allocate_all(void) {
    for (;;) {
        char *memory = malloc(16 << 20);
        if (!memory) return *(volatile int *)8;
        // One byte a page would take all of it, and longer.
        *(volatile char *)memory = 1;
    }
}

static void *finish(void *argument) { return argument; }

// Messages to the parent.

static int send_packet(const void *bytes, size_t count, int flags) {
    struct iovec part = {(void *)bytes, count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    return (int)sendmsg(3, &message, flags | MSG_NOSIGNAL);
}

/// Replies of the right form to all calls that might be waited for, with a payload of 2^40 bytes.
static int forge(void) {
    unsigned char packet[25] = {0};
    for (uint64_t sequence = 1; sequence < 64; sequence++) {
        uint64_t count = 1ull << 40;
        memcpy(packet, &sequence, 8);
        memcpy(packet + 17, &count, 8);
        send_packet(packet, sizeof packet, MSG_DONTWAIT);
    }
    return 0;
}

static int send_descriptors(void) {
    char byte = 1, space[CMSG_SPACE(2 * sizeof(int))] = {0};
    int descriptors[2] = {0, 1};
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_len = CMSG_LEN(sizeof descriptors);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    memcpy(CMSG_DATA(header), descriptors, sizeof descriptors);
    return (int)sendmsg(3, &message, MSG_NOSIGNAL);
}

static int make_writable(const void *input) {
    void *page = (void *)((uintptr_t)input & ~4095ul);
    if (mprotect(page, 4096, PROT_READ | PROT_WRITE)) return -errno;
    *(volatile char *)input = 0;
    return 0;
}

static int write_input(const void *input) {
    *(volatile char *)(uintptr_t)input = 0;
    return 0;
}

/// A call of another table of system calls.
static int call_of_other_table(bool is_x32) {
#ifdef __x86_64__
    if (is_x32) return (int)syscall(0x40000000 + 39);
    int result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory");
    return result;
#else
    (void)is_x32;
    abort();
#endif
}

static int wait_for_ever(void) {
    static uint32_t word = 0;
    for (;;) syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
}

/// Works for some microseconds now and then.
static int doze(void) {
    static uint32_t word = 0;
    const struct timespec pause = {0, 20000000};
    for (;;) syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &pause, NULL, 0);
}

/// Replies to all calls to a new worker, none of which it reads: there is nothing, and that took as long as a number can say.
static int reply_in_advance(void) {
    unsigned char packet[25] = {[8] = 3};
    const int64_t time = INT64_MAX;
    memcpy(packet + 9, &time, 8);
    for (uint64_t sequence = 1; sequence < 1000; sequence++) {
        memcpy(packet, &sequence, 8);
        send_packet(packet, sizeof packet, 0);
    }
    return wait_for_ever();
}

static int end_process(const char *act) {
    if (!strcmp(act, "segfault")) return *(volatile int *)8;
    if (!strcmp(act, "overflow")) return deep(0);
    if (!strcmp(act, "abort")) abort();
    if (!strcmp(act, "exit")) _exit(0);
    if (!strcmp(act, "allocate")) return allocate_all();
    if (!strcmp(act, "stop")) return (int)syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGSTOP);
    if (!strcmp(act, "wait")) return wait_for_ever();
    if (!strcmp(act, "doze")) return doze();
    if (!strcmp(act, "returnFromSignal")) return (int)syscall(SYS_rt_sigreturn);
    if (!strcmp(act, "loop")) for (volatile int i = 0;; i++) {}
    return 1 << 30;
}

/// Keeps the signal at the end of the processor time from ending the process.
static int block_signal(void) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGXCPU);
    return sigprocmask(SIG_BLOCK, &signals, NULL) ? -errno : 0;
}

/// Makes a page of memory, and gives the kernel advice about it.
static int map_page(int flags, int advice) {
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    return page == MAP_FAILED || madvise(page, 4096, advice) ? -errno : 0;
}

/// A file that is not there, in a folder that some workers may read.
static int open_font(int flags) { return open("/usr/share/fonts/nonexistent", flags) < 0 ? -errno : 0; }

/// The status of a file that no worker may read.
static int read_status(void) {
    struct stat status;
    return stat("/etc/passwd", &status) ? -errno : 0;
}

/// The number of open descriptors, with a call that all workers may make.
static int count_open_descriptors(void) {
    int count = 0;
    for (int descriptor = 0; descriptor < 1024; descriptor++) {
        struct msghdr message = {0};
        count += recvmsg(descriptor, &message, MSG_PEEK | MSG_DONTWAIT) >= 0 || errno != EBADF;
    }
    return count;
}

static int count_variables(void) {
    int count = 0;
    while (environ && environ[count]) count++;
    return count;
}

static int call_system(const char *act) {
    if (!strcmp(act, "open")) return open("/etc/passwd", O_RDONLY) < 0 ? -errno : 0;
    if (!strcmp(act, "status")) return read_status();
    if (!strcmp(act, "openDescriptors")) return count_open_descriptors();
    if (!strcmp(act, "variables")) return count_variables();
    if (!strcmp(act, "create")) return open("/tmp/darkroom-hostile", O_CREAT | O_WRONLY, 0600) < 0 ? -errno : 0;
    if (!strcmp(act, "truncate")) return open_font(O_RDONLY | O_TRUNC);
    if (!strcmp(act, "openToWrite")) return open_font(O_WRONLY);
    if (!strcmp(act, "lock")) return map_page(MAP_LOCKED, MADV_NORMAL);
    if (!strcmp(act, "advise")) return map_page(0, MADV_DONTFORK);
    if (!strcmp(act, "blockSignal")) return block_signal();
    if (!strcmp(act, "ignoreSignal")) return signal(SIGXCPU, SIG_IGN) == SIG_ERR ? -errno : 0;
    if (!strcmp(act, "socket")) return socket(AF_INET, SOCK_STREAM, 0);
    if (!strcmp(act, "fork")) return (int)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) < 0 ? -errno : 0;
    if (!strcmp(act, "killParent")) return kill(getppid(), SIGKILL);
    if (!strcmp(act, "killInit")) return (int)syscall(SYS_kill, 1, SIGKILL);
    if (!strcmp(act, "signalThread")) return (int)syscall(SYS_tgkill, 1, 1, SIGKILL);
    if (!strcmp(act, "renice")) return setpriority(PRIO_PROCESS, 0, 19) ? -errno : 0;
    if (!strcmp(act, "signalOwner")) return fcntl(3, F_SETOWN, getpid()) ? -errno : 0;
    if (!strcmp(act, "execute")) return execve("/bin/sh", (char *[]){"/bin/sh", NULL}, NULL);
    if (!strcmp(act, "trace")) return (int)ptrace(PTRACE_ATTACH, 1, 0, 0);
    if (!strcmp(act, "pause")) return (int)syscall(SYS_ppoll, NULL, 0, NULL, NULL, 0);
    if (!strcmp(act, "otherTable")) return call_of_other_table(false);
    if (!strcmp(act, "x32")) return call_of_other_table(true);
    if (!strcmp(act, "thread")) {
        pthread_t thread;
        int error = pthread_create(&thread, NULL, finish, NULL);
        return error ? -error : -pthread_join(thread, NULL);
    }
    if (!strcmp(act, "executable")) {
        void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return page == MAP_FAILED ? -errno : 0;
    }
    return 1 << 30;
}

static int send_messages(const char *act) {
    char garbage[200];
    memset(garbage, 0xAA, sizeof garbage);
    if (!strcmp(act, "garbage")) return send_packet(garbage, sizeof garbage, 0);
    if (!strcmp(act, "empty")) return send_packet(garbage, 0, 0);
    if (!strcmp(act, "short")) return send_packet(garbage, 20, 0);
    if (!strcmp(act, "forge")) return forge();
    if (!strcmp(act, "advance")) return reply_in_advance();
    if (!strcmp(act, "flood")) for (;;) send_packet(garbage, 25, 0);
    if (!strcmp(act, "descriptors")) return send_descriptors();
    if (!strcmp(act, "closeChannel")) return close(3);
    return 1 << 30;
}

int hostile_do(const char *act, const void *input, size_t count) {
    (void)count;
    if (!strcmp(act, "writeInput")) return write_input(input);
    if (!strcmp(act, "makeWritable")) return make_writable(input);
    int result = end_process(act);
    if (result == 1 << 30) result = call_system(act);
    if (result == 1 << 30) result = send_messages(act);
    return result;
}

#if defined(__has_feature)
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif

bool hostile_is_address_sanitized(void) { return HAS_FEATURE(address_sanitizer); }
int hostile_niceness(void) { return getpriority(PRIO_PROCESS, 0); }

bool hostile_is_thread_sanitized(void) { return HAS_FEATURE(thread_sanitizer); }

int hostile_descriptor_count(void) {
    DIR *folder = opendir("/proc/self/fd");
    int count = 0;
    if (!folder) return -1;
    for (struct dirent *entry; (entry = readdir(folder));) count += entry->d_name[0] != '.';
    closedir(folder);
    return count - 1;
}

int hostile_zombie_count(void) {
    // It leaves them for whoever waits.
    int count = 0;
    siginfo_t info = {0};
    while (!waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid != 0) {
        count = 1;
        break;
    }
    return count;
}

#endif
