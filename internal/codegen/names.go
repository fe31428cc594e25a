package codegen

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
)

// reserved are names that a program may use and C may not, or not there: keywords,
// macros of common headers, and what generated code calls.
var reserved = func() map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields(`
		auto break case char const continue default do double else enum extern float
		for goto if inline int long register restrict return short signed sizeof static
		struct switch typedef union unsigned void volatile while asm typeof
		bool true false NULL EOF errno assert linux unix stdin stdout stderr I
		INFINITY NAN HUGE_VAL M_PI M_E
		exp10 pow10 sincos roundeven
		alignas alignof constexpr nullptr static_assert thread_local typeof_unqual
		main abort setjmp longjmp jmp_buf sigsetjmp siglongjmp
		y0 y1 yn j0 j1 jn gamma signgam drem finite significand nan scalb scalbn scalbln
		nearbyint nexttoward remquo llrint llround lrint lround
		fpclassify isfinite isnormal isunordered isgreater isgreaterequal isless
		islessequal islessgreater math_errhandling
		index rindex bcmp bcopy bzero explicit_bzero ffs ffsl ffsll
		memccpy memchr memcmp memcpy memmove memset
		stpcpy stpncpy strcasecmp strcat strchr strcmp strcoll strcpy strcspn strdup
		strerror strlen strncasecmp strncat strncmp strncpy strndup strnlen strpbrk
		strrchr strsep strsignal strspn strstr strtok strxfrm
		vec vecf mask LANES SHUFFLE CONVERT
		class template this new delete namespace operator private public virtual`) {
		words[w] = true
	}
	for _, f := range cMath {
		words[f] = true
		words[f+"f"] = true
		words[f+"l"] = true
	}
	for _, f := range []string{"tgamma", "lgamma", "lgamma_r", "frexp", "modf", "ilogb",
		"ldexp", "nextafter", "isnan", "isinf", "signbit", "fmin", "fmax", "fdim"} {
		words[f] = true
		words[f+"f"] = true
		words[f+"l"] = true
	}
	return words
}()

// macros are the names that <math.h> and <stdint.h> define, by their pattern; with
// them go the types that all headers of POSIX may declare, and what C keeps for
// itself.
var macros = regexp.MustCompile(`^(U?INT(PTR|MAX|_FAST|_LEAST)?[0-9]*_(MIN|MAX|C)|(FP|M|MATH)_[A-Z0-9_]+|HUGE_VAL[FL]?|` +
	`(PTRDIFF|SIG_ATOMIC|SIZE|WCHAR|WINT)_(MIN|MAX)|.*_t|_[A-Z_].*|op2_.*|(vec|mask|row2|row4|lanes|wrap)f?_.*|row[24]f?)$`)

// ascii is name with its letters beyond ASCII spelled as their numbers.
func ascii(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r < 0x80 {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "u%04x", r)
		}
	}
	return b.String()
}

// cName is the C identifier for a name of the program: the same wherever C allows it.
func cName(name string) string {
	name = ascii(name)
	// One that has underscores behind already gets another, so that different names
	// stay different.
	if bare := strings.TrimRight(name, "_"); reserved[bare] || macros.MatchString(bare) {
		name += "_"
	}
	return name
}

// scope gives out names that are unique among those in force.
type scope struct {
	taken    map[string]bool
	reserved map[string]bool // names that are taken besides C's own
	given    []string        // the names given out, in order, for leave
	vars     map[*kernel.Var]string
}

func newScope(outer *scope) *scope {
	s := &scope{taken: map[string]bool{}, vars: map[*kernel.Var]string{}}
	if outer != nil {
		s.reserved = outer.reserved
		for n := range outer.taken {
			s.taken[n] = true
		}
	}
	return s
}

// fresh is a C identifier like name that nothing else in the scope has.
func (s *scope) fresh(name string) string {
	base := s.name(name)
	name = base
	for i := 2; s.taken[name]; i++ {
		name = fmt.Sprintf("%s_%d", base, i)
	}
	s.taken[name] = true
	s.given = append(s.given, name)
	return name
}

// name is the identifier for a name of the program.
func (s *scope) name(name string) string {
	name = cName(name)
	if s.reserved[strings.TrimRight(name, "_")] {
		name += "_"
	}
	return name
}

// enter begins a block; leave, with what enter gave, ends it and frees its names
// for the next one.
func (s *scope) enter() int { return len(s.given) }

func (s *scope) leave(mark int) {
	for _, name := range s.given[mark:] {
		delete(s.taken, name)
	}
	s.given = s.given[:mark]
}

// declare gives a variable its name.
func (s *scope) declare(v *kernel.Var) string {
	name := s.fresh(v.Name)
	s.vars[v] = name
	return name
}
