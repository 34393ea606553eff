#define _GNU_SOURCE
#include "CIsolation.h"

#ifdef __linux__

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// The numbers are the same on all architectures.
#define PIDFD_SEND_SIGNAL 424
#define PIDFD_OPEN 434
#define CLOSE_RANGE 436

static int add_actions(posix_spawn_file_actions_t *actions, int socket) {
    // The socket comes first, because its number may be one of those that follow.
    int error = posix_spawn_file_actions_adddup2(actions, socket, 3);
    if (!error) error = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
    if (!error) error = posix_spawn_file_actions_addopen(actions, 1, "/dev/null", O_WRONLY, 0);
    if (!error) error = posix_spawn_file_actions_addopen(actions, 2, "/dev/null", O_WRONLY, 0);
#ifdef __GLIBC__
    // Elsewhere, the worker closes them first of all.
    if (!error) error = posix_spawn_file_actions_addclosefrom_np(actions, 4);
#endif
    return error;
}

int darkroom_spawn_worker(const char *path, const char *variable, int socket, pid_t *pid, int *pidfd) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setsigmask(&attributes, &none);
    // A process group of its own, so that Ctrl-C in the terminal does not reach it. In a session of its own it would get as much
    // processor time as all threads of this process together, whatever its niceness, where the kernel groups sessions.
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);

    char *arguments[] = {"darkroom-worker", NULL};
    // The environment of a server has secrets. The place of shared libraries is none, and they may be nowhere else.
    char libraries[4096] = "";
    const char *folder = getenv("LD_LIBRARY_PATH");
    if (folder && strlen(folder) < sizeof libraries - 32) {
        snprintf(libraries, sizeof libraries, "LD_LIBRARY_PATH=%s", folder);
    }
    // Otherwise, Swift's crash handler would start a program, which the filter forbids, and hide the signal.
    char *environment[] = {(char *)variable, "SWIFT_BACKTRACE=enable=no", *libraries ? libraries : NULL, NULL};
    int error = add_actions(&actions, socket);
    if (!error) error = posix_spawn(pid, path, &actions, &attributes, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    *pidfd = error ? -1 : (int)syscall(PIDFD_OPEN, *pid, 0);
    return error;
}

void darkroom_kill_worker(int pidfd, pid_t pid) {
    if (pidfd >= 0 && (syscall(PIDFD_SEND_SIGNAL, pidfd, SIGKILL, NULL, 0) == 0 || errno == ESRCH)) return;
    // If only this pool waits for it, it is not reaped yet, so the number is still its own.
    kill(pid, SIGKILL);
}

int darkroom_wait_for_worker(pid_t pid) {
    int status;
    pid_t ended;
    do ended = waitpid(pid, &status, 0);
    while (ended < 0 && errno == EINTR);
    return ended < 0 ? -errno : status;
}

int darkroom_wait_shortly_for_worker(int pidfd, pid_t pid) {
    if (pidfd >= 0) {
        struct pollfd wanted = {pidfd, POLLIN, 0};
        poll(&wanted, 1, 100);
    }
    for (int attempt = 0; attempt < 100; attempt++) {
        int status;
        pid_t ended = waitpid(pid, &status, WNOHANG);
        if (ended == pid) return status;
        if (ended < 0 && errno != EINTR) return -errno;
        if (pidfd >= 0) break;
        const struct timespec pause = {0, 1000000};
        nanosleep(&pause, NULL);
    }
    return -EAGAIN;
}

int64_t darkroom_processor_time(clockid_t clock) {
    struct timespec time;
    if (clock_gettime(clock, &time)) return -1;
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int64_t darkroom_thread_time(void) {
    struct timespec time = {0, 0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/// Reads the start of a file of `/proc`. Returns whether there is one.
static bool read_text(const char *format, pid_t pid, char *text, size_t capacity) {
    char path[64];
    snprintf(path, sizeof path, format, (int)pid);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    ssize_t count = read(file, text, capacity - 1);
    close(file);
    text[count > 0 ? count : 0] = 0;
    return count > 0;
}

char darkroom_process_state(pid_t pid) {
    char text[256];
    if (!read_text("/proc/%d/stat", pid, text, sizeof text)) return 0;
    // The name before it is in parentheses, and may have some itself.
    const char *name_end = strrchr(text, ')');
    return name_end && name_end[1] == ' ' ? name_end[2] : 0;
}

uint64_t darkroom_private_byte_count(pid_t pid) {
    char text[256];
    unsigned long resident, shared;
    if (!read_text("/proc/%d/statm", pid, text, sizeof text)) return 0;
    if (sscanf(text, "%*u %lu %lu", &resident, &shared) != 2 || resident < shared) return 0;
    return (uint64_t)(resident - shared) * (uint64_t)sysconf(_SC_PAGESIZE);
}

void darkroom_limit_processor_time(pid_t pid, uint64_t seconds) {
    struct rlimit64 limit = {seconds, RLIM64_INFINITY};
    syscall(SYS_prlimit64, pid, RLIMIT_CPU, &limit, NULL);
}

void darkroom_close_from(int first) {
    if (syscall(CLOSE_RANGE, first, ~0U, 0) == 0) return;
    for (int descriptor = first; descriptor < 65536; descriptor++) close(descriptor);
}

void darkroom_become_expendable(void) {
    // Raising it needs no privilege.
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file >= 0) {
        ssize_t ignored = write(file, "1000", 4);
        (void)ignored;
        close(file);
    }
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

void darkroom_become_nicer(int niceness) {
    // Raising it needs no privilege.
    int ignored = nice(niceness);
    (void)ignored;
}

int darkroom_thread_count(void) {
    DIR *folder = opendir("/proc/self/task");
    if (!folder) return 0;
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder));) count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

#if defined(__has_feature)
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif

bool darkroom_is_address_sanitized(void) { return HAS_FEATURE(address_sanitizer); }
bool darkroom_is_thread_sanitized(void) { return HAS_FEATURE(thread_sanitizer); }

#endif
