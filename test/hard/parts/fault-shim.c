/*
 * LD_PRELOAD shim: makes writes to files below a folder fail, as a disk that is full, read-only or broken does.
 *
 *   ORCHD_FAULT_DIR   the folder
 *   ORCHD_FAULT_FILE  four bytes, mapped: the errno of every write from now on, little-endian; 0: writes succeed
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static volatile int *fault;
static const char *dir;
static size_t dir_length;

__attribute__((constructor)) static void begin(void) {
  const char *file = getenv("ORCHD_FAULT_FILE");
  dir = getenv("ORCHD_FAULT_DIR");
  if (!file || !dir) return;
  dir_length = strlen(dir);
  int fd = open(file, O_RDONLY);
  if (fd < 0) return;
  void *map = mmap(NULL, 4, PROT_READ, MAP_SHARED, fd, 0);
  if (map != MAP_FAILED) fault = map;
  close(fd);
}

static int is_below(const char *path) {
  return dir && !strncmp(path, dir, dir_length) && (path[dir_length] == '/' || path[dir_length] == 0);
}

static int fails_fd(int fd) {
  if (!fault || *fault == 0) return 0;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  if (!is_below(path)) return 0;
  struct stat about;
  if (fstat(fd, &about) || !S_ISREG(about.st_mode)) return 0;
  errno = *fault;
  return 1;
}

static int fails_path(const char *path) {
  if (!fault || *fault == 0 || !is_below(path)) return 0;
  errno = *fault;
  return 1;
}

#define NEXT(type, name, ...) static type (*next)(__VA_ARGS__); if (!next) next = dlsym(RTLD_NEXT, name)

ssize_t write(int fd, const void *bytes, size_t count) {
  NEXT(ssize_t, "write", int, const void *, size_t);
  return fails_fd(fd) ? -1 : next(fd, bytes, count);
}
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
  NEXT(ssize_t, "pwrite", int, const void *, size_t, off_t);
  return fails_fd(fd) ? -1 : next(fd, bytes, count, at);
}
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
  NEXT(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
  return fails_fd(fd) ? -1 : next(fd, bytes, count, at);
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
  NEXT(ssize_t, "writev", int, const struct iovec *, int);
  return fails_fd(fd) ? -1 : next(fd, parts, count);
}
int fsync(int fd) {
  NEXT(int, "fsync", int);
  return fails_fd(fd) ? -1 : next(fd);
}
int fdatasync(int fd) {
  NEXT(int, "fdatasync", int);
  return fails_fd(fd) ? -1 : next(fd);
}
int ftruncate64(int fd, off64_t length) {
  NEXT(int, "ftruncate64", int, off64_t);
  return fails_fd(fd) ? -1 : next(fd, length);
}
int rename(const char *from, const char *to) {
  NEXT(int, "rename", const char *, const char *);
  return fails_path(to) ? -1 : next(from, to);
}
int mkdir(const char *path, mode_t mode) {
  NEXT(int, "mkdir", const char *, mode_t);
  struct stat about;
  if (stat(path, &about) && fails_path(path)) return -1;
  return next(path, mode);
}

/* Only a file that is not there yet needs space. */
static int fails_open(const char *path, int flags) {
  struct stat about;
  return (flags & O_CREAT) && fault && *fault != 0 && stat(path, &about) && fails_path(path);
}
#define OPEN(name)                                                   \
  int name(const char *path, int flags, ...) {                       \
    NEXT(int, #name, const char *, int, ...);                        \
    va_list rest;                                                    \
    va_start(rest, flags);                                           \
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;        \
    va_end(rest);                                                    \
    return fails_open(path, flags) ? -1 : next(path, flags, mode);   \
  }
OPEN(open)
OPEN(open64)
