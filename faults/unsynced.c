/* Preloaded into a program (LD_PRELOAD), this notes what it does to the files below one folder, or lets a call fail,
 * or be its last.
 *
 * The journal has an entry for every call that succeeded, in their order, written before the call returns: whoever was
 * told that something is on the disk has the fsync in the journal. `preload.py` makes a folder from it that a power cut
 * could leave. Calls are known by what their descriptor or path means at that moment; stores to memory that is mapped
 * from a file are not seen.
 *
 * An entry is a line "LETTER FILE OFFSET SIZE LENGTHS", then its bytes: data, or one or two paths below the folder. FILE
 * is the number of the inode.
 *   o opened for writing (path)   w written (data)   t set to SIZE   s synced   d folder synced (path)
 *   r renamed (from, to)   l linked (from, to)   u unlinked (path)   m folder made (path)   x folder removed (path)
 *   f a call that was let fail, or at which the program died
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define SHORT -1 /* in place of an error: half of the bytes are written */
#define DIE -2   /* in place of an error: the program is killed before the call */
#define REAL(name) ((__typeof__(&name))real(&(void *){0}, #name))

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static char folder[PATH_MAX];
static int journal = -1;
static int countdown, failing; /* calls up to the one that fails, and how */

static void *real(void **found, const char *name) {
    return *found ? *found : (*found = dlsym(RTLD_NEXT, name));
}

/* Begin with a folder (its real path), and a journal, none if that is NULL. */
void unsynced_begin(const char *below, const char *path) {
    int (*really)(const char *, int, ...) = REAL(open64);
    if (journal >= 0) close(journal);
    journal = path ? really(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
    snprintf(folder, sizeof folder, "%s", below);
}

/* Let call number `calls` from now on fail with an error number, or be SHORT; 0 lets none. */
void unsynced_fail(int calls, int error) {
    countdown = calls;
    failing = error;
}

/* Calls that are left before the one that fails; 0 when it has failed. */
int unsynced_left(void) { return countdown; }

/* What follows the folder in a path, NULL if it is not below; "" for the folder itself. */
static const char *below(const char *path) {
    size_t length = strlen(folder);
    if (!length || strncmp(path, folder, length)) return NULL;
    return path[length] == '/' ? path + length + 1 : path[length] ? NULL : "";
}

static const char *of_descriptor(int fd, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    int kept = errno;
    ssize_t length = folder[0] && fd != journal ? readlink(link, path, PATH_MAX - 1) : -1;
    errno = kept;
    if (length < 0) return NULL;
    path[length] = 0;
    return below(path);
}

/* The same for a name that need not exist; its folder must. */
static const char *of_path(int at, const char *name, char *path) {
    char whole[PATH_MAX + 64], *slash;
    int kept = errno;
    if (!folder[0]) return NULL;
    if (name[0] == '/' || at == AT_FDCWD) snprintf(whole, sizeof whole, "%s%s", name[0] == '/' ? "" : "./", name);
    else snprintf(whole, sizeof whole, "/proc/self/fd/%d/%s", at, name);
    for (size_t end = strlen(whole); end > 1 && whole[end - 1] == '/';) whole[--end] = 0;
    slash = strrchr(whole, '/');
    *slash = 0;
    char *found = realpath(slash == whole ? "/" : whole, path);
    errno = kept;
    if (!found || strlen(path) + strlen(slash + 1) + 2 > PATH_MAX) return NULL;
    strcat(strcat(path, "/"), slash + 1);
    return below(path);
}

static void note(char letter, int fd, long long offset, long long size, const void *one, size_t first,
                 const char *two) {
    char line[160];
    struct stat64 about = {0};
    size_t second = two ? strlen(two) : 0;
    int kept = errno;
    if (journal < 0) return;
    if (fd >= 0) fstat64(fd, &about);
    int length = snprintf(line, sizeof line, "%c %llu %lld %lld %zu %zu\n", letter, (unsigned long long)about.st_ino,
                          offset, size, first, second);
    struct iovec parts[] = {{line, length}, {(void *)one, first}, {(void *)two, second}};
    if (REAL(writev)(journal, parts, 3) != (ssize_t)(length + first + second)) abort();
    errno = kept;
}

static void note_path(char letter, const char *one, const char *two) { note(letter, -1, 0, 0, one, strlen(one), two); }

/* Whether this call, which is one of those that are counted, is the one that fails; errno is set then. */
static int fails(void) {
    if (!countdown || --countdown) return 0;
    note_path('f', "", NULL);
    if (failing == DIE) kill(getpid(), SIGKILL);
    if (failing != SHORT) errno = failing;
    return failing;
}

/* The same for calls other than those that write data, which cannot be short. */
static int refused(void) { return failing == SHORT ? 0 : fails(); }

/* --- contents --- */

static ssize_t written(int fd, const void *data, ssize_t done, long long offset) {
    if (done > 0) note('w', fd, offset < 0 ? lseek64(fd, 0, SEEK_CUR) - done : offset, done, data, done, NULL);
    return done;
}

/* offset: -1 for the descriptor's own. */
static ssize_t put(int fd, const void *data, size_t length, long long offset) {
    char path[PATH_MAX];
    int watched = of_descriptor(fd, path) != NULL, failed;
    ssize_t (*plain)(int, const void *, size_t) = REAL(write);
    ssize_t (*placed)(int, const void *, size_t, off64_t) = REAL(pwrite64);
    if (!watched) return offset < 0 ? plain(fd, data, length) : placed(fd, data, length, offset);
    pthread_mutex_lock(&lock);
    failed = fails();
    if (failed == SHORT) length = (length + 1) / 2;
    ssize_t done = failed > 0 ? -1 : offset < 0 ? plain(fd, data, length) : placed(fd, data, length, offset);
    done = written(fd, data, done, offset);
    pthread_mutex_unlock(&lock);
    return done;
}

ssize_t write(int fd, const void *data, size_t length) { return put(fd, data, length, -1); }
ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) { return put(fd, data, length, offset); }
ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) { return put(fd, data, length, offset); }

ssize_t writev(int fd, const struct iovec *parts, int count) {
    char path[PATH_MAX];
    if (!of_descriptor(fd, path)) return REAL(writev)(fd, parts, count);
    for (int i = 0; i < count; i++) /* a short write of the first that is not empty is legal */
        if (parts[i].iov_len) return put(fd, parts[i].iov_base, parts[i].iov_len, -1);
    return 0;
}

static int set_size(int fd, off64_t size) {
    char path[PATH_MAX];
    int (*really)(int, off64_t) = REAL(ftruncate64);
    if (!of_descriptor(fd, path)) return really(fd, size);
    pthread_mutex_lock(&lock);
    int done = refused() ? -1 : really(fd, size);
    if (!done) note('t', fd, 0, size, "", 0, NULL);
    pthread_mutex_unlock(&lock);
    return done;
}

int ftruncate64(int fd, off64_t size) { return set_size(fd, size); }
int ftruncate(int fd, off_t size) { return set_size(fd, size); }

static int sync_with(int fd, int (*really)(int)) {
    char path[PATH_MAX];
    struct stat64 about;
    const char *name = of_descriptor(fd, path);
    if (!name) return really(fd);
    pthread_mutex_lock(&lock);
    int done = refused() ? -1 : really(fd);
    if (!done && !fstat64(fd, &about)) note(S_ISDIR(about.st_mode) ? 'd' : 's', fd, 0, 0, name, strlen(name), NULL);
    pthread_mutex_unlock(&lock);
    return done;
}

int fsync(int fd) { return sync_with(fd, REAL(fsync)); }
int fdatasync(int fd) { return sync_with(fd, REAL(fdatasync)); }

/* --- names --- */

static int open_with(int at, const char *name, int flags, mode_t mode) {
    char path[PATH_MAX];
    int (*really)(int, const char *, int, ...) = REAL(openat64);
    int writes = (flags & O_ACCMODE) != O_RDONLY || flags & (O_CREAT | O_TRUNC);
    if (!writes || !of_path(at, name, path)) return really(at, name, flags, mode);
    pthread_mutex_lock(&lock);
    int fd = refused() ? -1 : really(at, name, flags, mode);
    const char *found = fd < 0 ? NULL : of_descriptor(fd, path);
    if (found) note('o', fd, 0, flags & O_TRUNC ? 0 : -1, found, strlen(found), NULL);
    pthread_mutex_unlock(&lock);
    return fd;
}

#define OPEN(name, at, ...)                                   \
    int name(__VA_ARGS__, int flags, ...) {                   \
        va_list more;                                         \
        va_start(more, flags);                                \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
        va_end(more);                                         \
        return open_with(at, path, flags, mode);              \
    }
OPEN(open, AT_FDCWD, const char *path)
OPEN(open64, AT_FDCWD, const char *path)
OPEN(openat, at, int at, const char *path)
OPEN(openat64, at, int at, const char *path)

/* A call that gives, takes or changes names; those that only take them are never let fail. */
#define NAMES(call, counted, letter, one, two)                                          \
    char first[PATH_MAX], second[PATH_MAX];                                             \
    const char *from = one, *to = two;                                                  \
    (void)second;                                                                       \
    if (!from) return call;                                                             \
    pthread_mutex_lock(&lock);                                                          \
    int done = counted && refused() ? -1 : call;                                      \
    if (!done) note_path(letter, from, to);                                             \
    pthread_mutex_unlock(&lock);                                                        \
    return done;

int renameat(int a, const char *old, int b, const char *new) {
    NAMES(REAL(renameat)(a, old, b, new), 1, 'r', of_path(a, old, first), of_path(b, new, second))
}
int rename(const char *old, const char *new) { return renameat(AT_FDCWD, old, AT_FDCWD, new); }
int linkat(int a, const char *old, int b, const char *new, int flags) {
    NAMES(REAL(linkat)(a, old, b, new, flags), 1, 'l', of_path(a, old, first), of_path(b, new, second))
}
int link(const char *old, const char *new) { return linkat(AT_FDCWD, old, AT_FDCWD, new, 0); }
int mkdirat(int at, const char *name, mode_t mode) {
    NAMES(REAL(mkdirat)(at, name, mode), 1, 'm', of_path(at, name, first), NULL)
}
int mkdir(const char *name, mode_t mode) { return mkdirat(AT_FDCWD, name, mode); }
int unlinkat(int at, const char *name, int flags) {
    NAMES(REAL(unlinkat)(at, name, flags), 0, flags & AT_REMOVEDIR ? 'x' : 'u', of_path(at, name, first), NULL)
}
int unlink(const char *name) { return unlinkat(AT_FDCWD, name, 0); }
int rmdir(const char *name) { return unlinkat(AT_FDCWD, name, AT_REMOVEDIR); }
