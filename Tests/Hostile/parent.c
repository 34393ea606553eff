#define _GNU_SOURCE
#include "CHostile.h"

#ifdef __linux__

#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/// Writes the child processes of `parent` to `children`, at most `capacity`. Returns their number.
static int find_children(int parent, int *children, int capacity) {
    DIR *folder = opendir("/proc");
    int count = 0;
    if (!folder) return 0;
    for (struct dirent *entry; count < capacity && (entry = readdir(folder));) {
        char path[300], text[512] = "";
        snprintf(path, sizeof path, "/proc/%s/stat", entry->d_name);
        FILE *file = entry->d_name[0] > '0' && entry->d_name[0] <= '9' ? fopen(path, "re") : NULL;
        if (!file) continue;
        size_t length = fread(text, 1, sizeof text - 1, file);
        fclose(file);
        text[length] = 0;
        const char *end = strrchr(text, ')');
        int ancestor = 0;
        if (end && sscanf(end + 1, " %*c %d", &ancestor) == 1 && ancestor == parent) children[count++] = atoi(text);
    }
    closedir(folder);
    return count;
}

int hostile_start_parent(const char *path, int *workers, int count) {
    int ends[2];
    if (pipe2(ends, 0)) return -1;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    char *arguments[] = {"parent", NULL}, *environment[] = {"DARKROOM_TEST_PARENT=1", NULL};
    pid_t pid = -1;
    if (posix_spawn(&pid, path, &actions, NULL, arguments, environment)) pid = -1;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    // It writes a byte when its workers are ready, and keeps the other end.
    char byte;
    if (pid > 0 && (read(ends[0], &byte, 1) != 1 || find_children(pid, workers, count) != count)) {
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
        pid = -1;
    }
    close(ends[0]);
    return pid;
}

int hostile_kill_parent(int parent, const int *workers, int count) {
    int ended = 0, processes[16];
    for (int i = 0; i < count; i++) processes[i] = (int)syscall(434, workers[i], 0);
    kill(parent, SIGKILL);
    waitpid(parent, NULL, 0);
    for (int i = 0; i < count; i++) {
        struct pollfd wanted = {processes[i], POLLIN, 0};
        ended += processes[i] >= 0 && poll(&wanted, 1, 30000) == 1;
        close(processes[i]);
    }
    return ended;
}

#endif
