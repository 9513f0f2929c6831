#include "loop/library_names.h"

namespace espalier::loop {

namespace {

constexpr std::string_view library_words = R"(
abort abs accept access acos acosh alarm aligned_alloc asctime asin asinh assert atan atan2 atanh
atexit atof atoi atol atoll basename bcmp bcopy bind bsearch btowc bzero calloc cbrt ceil chdir
chmod chown clearerr clock close closedir connect copysign cos cosh creat ctime daemon difftime
dirname div dprintf drem dup dup2 ecvt encrypt environ erf erfc errno execl execv exit exp exp10
exp2 expm1 fabs fclose fcvt fdim fdopen feof ferror fflush ffs fgetc fgets fileno finite floor fma
fmax fmin fmod fopen fork fprintf fputc fputs fread free freopen frexp fscanf fseek fstat ftell
ftruncate fwrite gamma gcvt getc getchar getenv getline getopt getpid gets getw gmtime hypot ilogb
index initstate isalnum isalpha isascii isatty isblank iscntrl isdigit isgraph isinf islower isnan
isprint ispunct isspace isupper isxdigit j0 j1 jn jrand48 kill killpg labs ldexp ldiv lgamma link
listen llabs lldiv llrint llround localeconv localtime lockf log log10 log1p log2 logb longjmp
lrand48 lrint lround lseek lstat main malloc mblen mbtowc memccpy memchr memcmp memcpy memmove
memset mkdir mkfifo mknod mkstemp mktime mmap modf mprotect mrand48 munmap nan nanosleep nearbyint
nextafter nice open opendir optarg optind pause pclose perror pipe poll popen pow printf psignal
putc putchar putenv puts putw qsort raise rand random read readdir readlink realloc realpath recv
regcomp regexec regfree remainder remove remquo rename rewind rindex rint rmdir round sbrk scalb
scalbn scanf seed48 select send setbuf setenv setjmp setlocale setvbuf shutdown sigaction signal
signbit signgam significand sin sincos sinh sleep snprintf socket sprintf sqrt srand srandom
sscanf stat statfs std stderr stdin stdout strcat strchr strcmp strcoll strcpy strcspn strdup
strerror strftime strlen strncat strncmp strncpy strpbrk strrchr strspn strstr strtod strtok
strtol strtoul strxfrm swab symlink sync syscall sysconf system tan tanh tempnam tgamma time
timegm times timezone tmpfile tmpnam toascii tolower toupper trunc truncate ttyname tzname tzset
umask uname ungetc unlink unsetenv usleep utime utimes valloc vfork vprintf wait waitpid wcscpy
wcslen write y0 y1 yn
)";

bool separates(char c) { return c == ' ' || c == '\n'; }

}  // namespace

bool is_library_name(std::string_view name) {
  if (name.empty()) return false;
  for (auto at = library_words.find(name); at != std::string_view::npos;
       at = library_words.find(name, at + 1))
    if (separates(library_words[at - 1]) && separates(library_words[at + name.size()])) return true;
  return false;
}

}  // namespace espalier::loop
