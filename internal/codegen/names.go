package codegen

import (
	"fmt"
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
		int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t size_t
		main memcpy memset setjmp longjmp jmp_buf abort
		y0 y1 yn j0 j1 jn gamma signgam index
		class template this new delete namespace operator private public virtual`) {
		words[w] = true
	}
	for _, f := range cMath {
		words[f] = true
		words[f+"f"] = true
	}
	for _, f := range []string{"tgamma", "lgamma", "lgamma_r", "frexp", "modf", "ilogb",
		"ldexp", "nextafter", "nextafterf", "isnan", "isinf", "signbit", "fmin", "fmax", "fdim"} {
		words[f] = true
	}
	return words
}()

// cName is the C identifier for a name of the program: the same wherever C allows it.
func cName(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r < 0x80 {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "u%04x", r)
		}
	}
	name = b.String()
	if reserved[name] || strings.HasPrefix(name, "op2_") || strings.HasPrefix(name, "wrap_") || strings.HasPrefix(name, "__") {
		name += "_"
	}
	return name
}

// scope gives out names that are unique among those in force.
type scope struct {
	taken map[string]bool
	given []string // the names given out, in order, for leave
	vars  map[*kernel.Var]string
}

func newScope(outer *scope) *scope {
	s := &scope{taken: map[string]bool{}, vars: map[*kernel.Var]string{}}
	if outer != nil {
		for n := range outer.taken {
			s.taken[n] = true
		}
	}
	return s
}

// fresh is a C identifier like name that nothing else in the scope has.
func (s *scope) fresh(name string) string {
	base := cName(name)
	name = base
	for i := 2; s.taken[name]; i++ {
		name = fmt.Sprintf("%s_%d", base, i)
	}
	s.taken[name] = true
	s.given = append(s.given, name)
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
