# SPDX-License-Identifier: Apache-2.0
"""How one knows a system call: names that POSIX, Linux or Windows add to standard C and C++."""
import re


def any_of(words):
    return "|".join(word.replace("*", r"\w*") for word in words.split())


HEADER_FOLDERS = "sys net netinet arpa linux bits asm mach mach-o android"
HEADERS = """
    aio cpio dirent dlfcn execinfo fcntl fmtmsg fnmatch ftw getopt glob grp iconv langinfo libgen libproc link malloc
    monetary mqueue ndbm netdb nl_types poll pthread pty pwd regex sched search semaphore signal spawn strings stropts
    syslog tar termio termios ulimit unistd util utime utmpx wordexp xlocale TargetConditionals
    conio direct io process psapi share shellapi shlobj winbase windows winsock winsock2 winuser"""

# Some standard headers declare these as well, or include those that do; a free function's name alone gives them away.
FUNCTIONS = """
    isatty _isatty fileno _fileno fdopen popen _popen pclose ttyname fsync fdatasync _commit ftruncate flock lockf mmap
    munmap madvise mprotect msync openat linkat unlinkat pread pwrite readv writev ioctl fcntl pipe2 dup2 dup3 epoll_*
    vfork execl execlp execle execv execvp execve posix_* waitpid killpg sigaction sigprocmask sigfillset sigemptyset
    sigaddset pthread_* sem_* dlopen dlsym dlclose dlerror dladdr dl_iterate_phdr sysconf getpid getppid gettid getuid
    geteuid getpwuid getrusage getloadavg gettimeofday clock_gettime nanosleep usleep setitimer localtime_r gmtime_r
    timegm strerror_r strtok_r strdup strndup strcasecmp strncasecmp asprintf vasprintf dprintf getdelim mkstemp
    mkstemps mkdtemp tempnam realpath readlink symlink lstat fstat opendir readdir closedir mkfifo wcwidth wcswidth
    newlocale uselocale setlinebuf open_memstream fmemopen flockfile funlockfile getc_unlocked malloc_trim
    malloc_usable_size getopt getopt_long tcgetattr tcsetattr LoadLibrary* GetProcAddress GetLastError CreateFile*
    getenv secure_getenv _wgetenv setenv unsetenv putenv"""

# Words that others use, too: only where the global one is meant.
GLOBALS = """
    open close read write lseek stat link unlink rename access raise environ poll ppoll pipe dup fork kill alarm signal
    chmod chown umask nice pause sleep"""

MACROS = """
    _WIN32 _WIN64 __MINGW* __CYGWIN__ __linux__ __linux __unix__ __APPLE__ __ANDROID__ __FreeBSD__ __GLIBC__
    __has_include _POSIX_* _GNU_SOURCE"""

header = re.compile(rf"(?:({any_of(HEADER_FOLDERS)})/.*|({any_of(HEADERS)})\.h)")
# Not a member's name; before it there may be std:: or nothing.
call = re.compile(rf"(?<![\w.>:])(?:std\s*::\s*|::\s*)?({any_of(FUNCTIONS)})\s*\(")
global_call = re.compile(rf"(?<![\w>)])::({any_of(GLOBALS)})\b")
macro = re.compile(rf"\b({any_of(MACROS)})\b")
path = re.compile(r'"/(proc|sys|dev)/')
