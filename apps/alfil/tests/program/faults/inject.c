/* A library for LD_PRELOAD that makes the writes of a program fail, or loses what it has not synchronised.
 *
 * Counted are write, pwrite, writev, fsync, fdatasync, ftruncate and rename of files below one folder:
 *   ALFIL_FAULT_FOLDER  the folder, without symbolic links
 *   ALFIL_FAULT_AT      the number of the call that fails, from 1
 *   ALFIL_FAULT         full: it and all later ones fail with ENOSPC; once: it alone fails with EIO;
 *                       power: the process ends at it
 *   ALFIL_FAULT_END     a file with which the faults end when it is created
 *   ALFIL_FAULT_COUNT   a file that gets a byte for each call, of all processes
 *   ALFIL_FAULT_SHADOW  a folder with what is on the disk after a loss of power: each file as it was when it was
 *                       synchronised
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static atomic_long calls;
/* Whether this thread copies a file for the shadow, whose writes do not count. */
static _Thread_local int copying;

/* Returns the path below the folder, with a slash before it; NULL if the path is not below it. */
static const char *below_folder(const char *path) {
    const char *folder = getenv("ALFIL_FAULT_FOLDER");
    size_t length = folder ? strlen(folder) : 0;
    if (copying || !length || strncmp(path, folder, length) || path[length] != '/') return NULL;
    return path + length;
}

static const char *path_of(int fd, char path[PATH_MAX]) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length < 0) return NULL;
    path[length] = 0;
    return below_folder(path);
}

/* Counts a call; returns whether it fails, with errno set. */
static int fails(void) {
    const char *at = getenv("ALFIL_FAULT_AT"), *fault = getenv("ALFIL_FAULT"), *count = getenv("ALFIL_FAULT_COUNT");
    long number = atomic_fetch_add(&calls, 1) + 1, first = at ? atol(at) : LONG_MAX;
    if (count) {
        int fd = syscall(SYS_openat, AT_FDCWD, count, O_WRONLY | O_CREAT | O_APPEND, 0600);
        syscall(SYS_write, fd, ".", 1);
        syscall(SYS_close, fd);
    }
    const char *end = getenv("ALFIL_FAULT_END");
    if (!fault || number < first || (end && !access(end, F_OK))) return 0;
    if (!strcmp(fault, "power")) kill(getpid(), SIGKILL);
    if (!strcmp(fault, "once") && number > first) return 0;
    errno = strcmp(fault, "once") ? ENOSPC : EIO;
    return 1;
}

/* Writes the path of a file in the shadow, and makes its folders. Returns 0 if there is no shadow. */
static int shadow_path(const char *below, char path[PATH_MAX]) {
    const char *shadow = getenv("ALFIL_FAULT_SHADOW");
    if (!shadow || snprintf(path, PATH_MAX, "%s%s", shadow, below) >= PATH_MAX) return 0;
    for (char *slash = path + strlen(shadow) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = 0;
        mkdir(path, 0700);
    }
    return 1;
}

static void copy_to_shadow(int fd, const char *below) {
    struct stat file;
    char path[PATH_MAX], part[PATH_MAX], buffer[1 << 16];
    if (fstat(fd, &file) || !S_ISREG(file.st_mode) || !shadow_path(below, path)) return;
    /* The copy is whole or not there at all: another thread may end the process at any moment. */
    snprintf(part, sizeof part, "%s.%ld", getenv("ALFIL_FAULT_SHADOW"), (long)syscall(SYS_gettid));
    copying = 1;
    snprintf(buffer, sizeof buffer, "/proc/self/fd/%d", fd);
    int from = open(buffer, O_RDONLY), to = open(part, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    for (ssize_t length; (length = read(from, buffer, sizeof buffer)) > 0;) write(to, buffer, length);
    close(from);
    close(to);
    REAL(rename)(part, path);
    copying = 0;
}

#define WRAP(name, parameters, ...)                                 \
    (int fd, parameters) {                                          \
        char path[PATH_MAX];                                        \
        if (path_of(fd, path) && fails()) return -1;                \
        return REAL(name)(fd, __VA_ARGS__);                         \
    }
#define COMMA ,

ssize_t write WRAP(write, const void *data COMMA size_t size, data, size)
ssize_t pwrite WRAP(pwrite, const void *data COMMA size_t size COMMA off_t at, data, size, at)
ssize_t pwrite64 WRAP(pwrite64, const void *data COMMA size_t size COMMA off64_t at, data, size, at)
ssize_t writev WRAP(writev, const struct iovec *parts COMMA int count, parts, count)
int ftruncate WRAP(ftruncate, off_t length, length)
int ftruncate64 WRAP(ftruncate64, off64_t length, length)

static int synchronise(int fd, int (*real)(int)) {
    char path[PATH_MAX];
    const char *below = path_of(fd, path);
    if (below && fails()) return -1;
    int result = real(fd);
    if (below && !result) copy_to_shadow(fd, below);
    return result;
}

int fsync(int fd) { return synchronise(fd, REAL(fsync)); }

int fdatasync(int fd) { return synchronise(fd, REAL(fdatasync)); }

int rename(const char *from, const char *to) {
    const char *below = below_folder(to), *source = below_folder(from);
    char old_path[PATH_MAX], new_path[PATH_MAX];
    if (below && fails()) return -1;
    int result = REAL(rename)(from, to);
    if (result || !below || !shadow_path(below, new_path)) return result;
    /* A file that was not synchronised before it was renamed is empty. */
    if (!source || !shadow_path(source, old_path) || REAL(rename)(old_path, new_path)) {
        close(REAL(open)(new_path, O_WRONLY | O_CREAT | O_TRUNC, 0600));
    }
    return 0;
}

int unlink(const char *path) {
    const char *below = below_folder(path);
    char shadow[PATH_MAX];
    if (below && shadow_path(below, shadow)) REAL(unlink)(shadow);
    return REAL(unlink)(path);
}
