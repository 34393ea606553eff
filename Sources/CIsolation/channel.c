#define _GNU_SOURCE
#include "CIsolation.h"

#ifdef __linux__

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

typedef union {
    struct cmsghdr header;
    char space[CMSG_SPACE(2 * sizeof(int))];
} descriptors_message;

int darkroom_make_channel(int sockets[2], int milliseconds) {
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets)) return errno;
    struct timeval limit = {milliseconds / 1000, milliseconds % 1000 * 1000};
    if (setsockopt(sockets[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0) return 0;
    int error = errno;
    close(sockets[0]);
    close(sockets[1]);
    return error;
}

int darkroom_send(int socket, const void *bytes, size_t count, int first, int second) {
    struct iovec part = {(void *)bytes, count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    descriptors_message control;
    int descriptors[2], n = 0;
    if (first >= 0) descriptors[n++] = first;
    if (second >= 0) descriptors[n++] = second;
    if (n > 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE((size_t)n * sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_len = CMSG_LEN((size_t)n * sizeof(int));
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        memcpy(CMSG_DATA(header), descriptors, (size_t)n * sizeof(int));
    }
    ssize_t sent;
    do sent = sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (sent < 0 && errno == EINTR);
    return sent < 0 ? errno : 0;
}

bool darkroom_has_packet(int socket) {
    char byte;
    return recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

ssize_t darkroom_receive(int socket, void *bytes, size_t capacity, int *first, int *second) {
    struct iovec part = {bytes, capacity};
    descriptors_message control;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    *first = *second = -1;
    ssize_t count;
    do count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (count < 0 && errno == EINTR);
    if (count < 0) return -errno;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
        memcpy(first, CMSG_DATA(header), sizeof(int));
        if (header->cmsg_len >= CMSG_LEN(2 * sizeof(int))) {
            memcpy(second, CMSG_DATA(header) + sizeof(int), sizeof(int));
        }
    }
    return message.msg_flags & MSG_TRUNC ? -EMSGSIZE : count;
}

ssize_t darkroom_receive_bytes(int socket, void *bytes, size_t capacity) {
    struct iovec part = {bytes, capacity};
    // Without room for them, the kernel drops descriptors.
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    ssize_t count = recvmsg(socket, &message, 0);
    // An interrupted wait counts as one that is over: the caller repeats it, and looks at the clock before.
    if (count < 0) return errno == EINTR || errno == EAGAIN ? -ETIMEDOUT : -errno;
    return message.msg_flags & MSG_TRUNC ? -EMSGSIZE : count;
}

#endif
