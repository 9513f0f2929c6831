#include <algorithm>
#include <string_view>
#include <vector>

#include "base/names.h"

namespace espalier {

namespace {

constexpr std::string_view language_words = R"(
alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t
char8_t class co_await co_return co_yield compl concept const const_cast consteval constexpr
constinit continue decltype default delete do double dynamic_cast else enum explicit export extern
false final float for friend goto if import inline int long module mutable namespace new noexcept
not not_eq nullptr operator or or_eq override private protected public register reinterpret_cast
requires restrict return short signed sizeof static static_assert static_cast struct switch template
this thread_local throw true try typedef typeid typename typeof union unsigned using virtual void
volatile wchar_t while xor xor_eq
blockDim blockIdx dim3 double2 float2 float3 float4 gridDim half half2 int2 int3 int4 threadIdx
uint2 uint3 uint4 warpSize
espalier int16_t int32_t int64_t int8_t intptr_t main posix ptrdiff_t size_t std uint16_t uint32_t
uint64_t uint8_t uintptr_t
)";

// Macros of C's and POSIX's headers on several systems, and words that compilers predefine.
constexpr std::string_view macro_words = R"(
BIG_ENDIAN BUFSIZ BYTE_ORDER CHAR_BIT CLOCKS_PER_SEC CLOSE_RANGE_CLOEXEC CLOSE_RANGE_UNSHARE
CSIGNAL DECIMAL_DIG E2BIG EACCES EADDRINUSE EADDRNOTAVAIL EADV EAFNOSUPPORT EAGAIN EALREADY EBADE
EBADF EBADFD EBADMSG EBADR EBADRQC EBADSLT EBFONT EBUSY ECANCELED ECHILD ECHRNG ECOMM ECONNABORTED
ECONNREFUSED ECONNRESET EDEADLK EDEADLOCK EDESTADDRREQ EDOM EDOTDOT EDQUOT EEXIST EFAULT EFBIG
EHOSTDOWN EHOSTUNREACH EHWPOISON EIDRM EILSEQ EINPROGRESS EINTR EINVAL EIO EISCONN EISDIR EISNAM
EKEYEXPIRED EKEYREJECTED EKEYREVOKED EL2HLT EL2NSYNC EL3HLT EL3RST ELIBACC ELIBBAD ELIBEXEC
ELIBMAX ELIBSCN ELNRNG ELOOP EMEDIUMTYPE EMFILE EMLINK EMSGSIZE EMULTIHOP ENAMETOOLONG ENAVAIL
ENETDOWN ENETRESET ENETUNREACH ENFILE ENOANO ENOBUFS ENOCSI ENODATA ENODEV ENOENT ENOEXEC ENOKEY
ENOLCK ENOLINK ENOMEDIUM ENOMEM ENOMSG ENONET ENOPKG ENOPROTOOPT ENOSPC ENOSR ENOSTR ENOSYS
ENOTBLK ENOTCONN ENOTDIR ENOTEMPTY ENOTNAM ENOTRECOVERABLE ENOTSOCK ENOTSUP ENOTTY ENOTUNIQ ENXIO
EOF EOPNOTSUPP EOVERFLOW EOWNERDEAD EPERM EPFNOSUPPORT EPIPE EPROTO EPROTONOSUPPORT EPROTOTYPE
ERANGE EREMCHG EREMOTE EREMOTEIO ERESTART ERFKILL EROFS ESHUTDOWN ESOCKTNOSUPPORT ESPIPE ESRCH
ESRMNT ESTALE ESTRPIPE ETIME ETIMEDOUT ETOOMANYREFS ETXTBSY EUCLEAN EUNATCH EUSERS EWOULDBLOCK
EXDEV EXFULL EXIT_FAILURE EXIT_SUCCESS FD_CLR FD_ISSET FD_SET FD_SETSIZE FD_ZERO F_LOCK F_OK
F_TEST F_TLOCK F_ULOCK I INFINITY LITTLE_ENDIAN LONG_BIT L_INCR L_SET L_XTND L_ctermid L_cuserid
L_tmpnam MATH_ERREXCEPT MATH_ERRNO MAXFLOAT MAX_CANON MAX_INPUT MINSIGSTKSZ M_1_PI M_1_PIf
M_1_PIf128 M_1_PIf32 M_1_PIf32x M_1_PIf64 M_1_PIf64x M_1_PIl M_2_PI M_2_PIf M_2_PIf128 M_2_PIf32
M_2_PIf32x M_2_PIf64 M_2_PIf64x M_2_PIl M_2_SQRTPI M_2_SQRTPIf M_2_SQRTPIf128 M_2_SQRTPIf32
M_2_SQRTPIf32x M_2_SQRTPIf64 M_2_SQRTPIf64x M_2_SQRTPIl M_E M_Ef M_Ef128 M_Ef32 M_Ef32x M_Ef64
M_Ef64x M_El M_LN10 M_LN10f M_LN10f128 M_LN10f32 M_LN10f32x M_LN10f64 M_LN10f64x M_LN10l M_LN2
M_LN2f M_LN2f128 M_LN2f32 M_LN2f32x M_LN2f64 M_LN2f64x M_LN2l M_LOG10E M_LOG10Ef M_LOG10Ef128
M_LOG10Ef32 M_LOG10Ef32x M_LOG10Ef64 M_LOG10Ef64x M_LOG10El M_LOG2E M_LOG2Ef M_LOG2Ef128
M_LOG2Ef32 M_LOG2Ef32x M_LOG2Ef64 M_LOG2Ef64x M_LOG2El M_PI M_PI_2 M_PI_2f M_PI_2f128 M_PI_2f32
M_PI_2f32x M_PI_2f64 M_PI_2f64x M_PI_2l M_PI_4 M_PI_4f M_PI_4f128 M_PI_4f32 M_PI_4f32x M_PI_4f64
M_PI_4f64x M_PI_4l M_PIf M_PIf128 M_PIf32 M_PIf32x M_PIf64 M_PIf64x M_PIl M_SQRT1_2 M_SQRT1_2f
M_SQRT1_2f128 M_SQRT1_2f32 M_SQRT1_2f32x M_SQRT1_2f64 M_SQRT1_2f64x M_SQRT1_2l M_SQRT2 M_SQRT2f
M_SQRT2f128 M_SQRT2f32 M_SQRT2f32x M_SQRT2f64 M_SQRT2f64x M_SQRT2l NAN NFDBITS NGREG NSIG NULL
NZERO PDP_ENDIAN PIPE_BUF P_tmpdir R_OK SIGABRT SIGALRM SIGBUS SIGCHLD SIGCLD SIGCONT SIGEV_NONE
SIGEV_SIGNAL SIGEV_THREAD SIGEV_THREAD_ID SIGFPE SIGHUP SIGILL SIGINT SIGIO SIGIOT SIGKILL SIGPIPE
SIGPOLL SIGPROF SIGPWR SIGQUIT SIGRTMAX SIGRTMIN SIGSEGV SIGSTKFLT SIGSTKSZ SIGSTOP SIGSYS SIGTERM
SIGTRAP SIGTSTP SIGTTIN SIGTTOU SIGURG SIGUSR1 SIGUSR2 SIGVTALRM SIGWINCH SIGXCPU SIGXFSZ
SIG_BLOCK SIG_DFL SIG_ERR SIG_HOLD SIG_IGN SIG_SETMASK SIG_UNBLOCK STDERR_FILENO STDIN_FILENO
STDOUT_FILENO TEMP_FAILURE_RETRY TIMER_ABSTIME TIME_UTC WCONTINUED WEOF WEXITED WEXITSTATUS
WIFCONTINUED WIFEXITED WIFSIGNALED WIFSTOPPED WNOHANG WNOWAIT WORD_BIT WSTOPPED WSTOPSIG WTERMSIG
WUNTRACED W_OK X_OK alloca arm assert assert_perror be16toh be32toh be64toh errno far fpclassify
htobe16 htobe32 htobe64 htole16 htole32 htole64 i386 interface isalnum_l isalpha_l isascii
isascii_l isblank_l iscntrl_l isdigit_l isfinite isgraph_l isgreater isgreaterequal isinf isless
islessequal islessgreater islower_l isnan isnormal isprint_l ispunct_l isspace_l issubnormal
isunordered isupper_l isxdigit_l le16toh le32toh le64toh linux major makedev math_errhandling max
min minor mips near offsetof pixel pthread_cleanup_pop pthread_cleanup_pop_restore_np
pthread_cleanup_push pthread_cleanup_push_defer_np sa_handler sa_sigaction sched_priority setjmp
si_addr si_addr_lsb si_arch si_band si_call_addr si_fd si_int si_lower si_overrun si_pid si_pkey
si_ptr si_status si_stime si_syscall si_timerid si_uid si_upper si_utime si_value
sigev_notify_attributes sigev_notify_function sigmask signbit sigsetjmp small sparc stderr stdin
stdout strdupa strndupa sun toascii toascii_l tolower_l toupper_l unix va_arg va_copy va_end
va_start vax vector
)";

// Macros come in families; any name of one counts.
constexpr std::string_view macro_prefixes[] = {
    "ADJ_",    "AIO_",    "ATOMIC_", "BUS_",     "CLD_", "CLOCK_",   "CLONE_", "CMPLX",   "CPU_",
    "DBL_",    "DEC128_", "DEC32_",  "DEC64_",   "FE_",  "FLT128_",  "FLT16_", "FLT32X_", "FLT32_",
    "FLT64X_", "FLT64_",  "FLT_",    "FPE_",     "FP_",  "HUGE_VAL", "ILL_",   "LC_",     "LDBL_",
    "MOD_",    "NL_",     "POLL_",   "PTHREAD_", "REG_", "RENAME_",  "SA_",    "SCHED_",  "SEEK_",
    "SEGV_",   "SI_",     "SNAN",    "SS_",      "STA_", "TRAP_",    "WCHAR_", "XATTR_"};

bool upper_or_digit(char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

// INT8_C, SIZE_MAX, PRId64 and their like.
bool of_macro_family(std::string_view name) {
  const auto starts = [&](std::string_view prefix) { return name.starts_with(prefix); };
  if (std::any_of(std::begin(macro_prefixes), std::end(macro_prefixes), starts)) return true;
  if ((starts("PRI") || starts("SCN")) && name.size() > 3)
    return std::string_view("diouxX").find(name[3]) != std::string_view::npos;
  if (!std::all_of(name.begin(), name.end(), upper_or_digit)) return false;
  if ((starts("INT") || starts("UINT")) && name.ends_with("_C")) return true;
  return name.ends_with("_MAX") || name.ends_with("_MIN") || name.ends_with("_WIDTH");
}

std::vector<std::string_view> sorted_words() {
  std::vector<std::string_view> words;
  for (std::string_view text : {language_words, macro_words}) {
    for (std::size_t end; (end = text.find_first_of(" \n")) != std::string_view::npos;
         text.remove_prefix(end + 1))
      if (end > 0) words.push_back(text.substr(0, end));
  }
  std::sort(words.begin(), words.end());
  return words;
}

}  // namespace

bool is_reserved_word(std::string_view name) {
  static const std::vector<std::string_view> words = sorted_words();
  return std::binary_search(words.begin(), words.end(), name) || of_macro_family(name);
}

}  // namespace espalier
