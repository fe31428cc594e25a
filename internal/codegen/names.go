package codegen

import (
	"crypto/sha256"
	"fmt"
	"regexp"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/mathfn"
)

// Names in generated source cannot clash. Its own names never end in an underscore; those at file
// scope begin with op2_, so that no header and no C kernel has them. The program's names at file
// scope (functions, structs, and consts on the host) all get a trailing underscore, which no name
// of a library or compiler has: gam is gam_, sqrt is sqrt_. Its other names (parameters, variables,
// fields) hide what headers declare, and stay as they are unless a compiler or the surrounding
// source would misinterpret them: those get the underscore, too. A scope keeps different names
// different.

// special are the names that a parameter, variable or field cannot have: keywords of C, OpenCL C
// and C++, macros that do not look like one, and functions that kernels' source calls.
var special = func() map[string]bool {
	set := words(`
		auto break case char const continue default do double else enum extern float for goto if inline int long
		register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
		alignas alignof asm bool constexpr false nullptr static_assert thread_local true typeof typeof_unqual

		kernel global local constant private generic uniform pipe half read_only write_only read_write
		uchar ushort uint ulong vec_step

		and and_eq bitand bitor catch class compl concept const_cast consteval constinit co_await co_return
		co_yield decltype delete dynamic_cast explicit export friend mutable namespace new noexcept not not_eq
		operator or or_eq private protected public reinterpret_cast requires static_cast template this throw
		try typeid typename using virtual xor xor_eq

		linux unix i386 errno stdin stdout stderr math_errhandling complex imaginary noreturn assert

		memcpy isnan signbit op2 isfinite isinf setjmp`)
	for _, f := range mathfn.CNames() {
		set[f], set[f+"f"] = true, true
	}
	return set
}()

// alike matches names that look like a macro, a type of a header or a name of the generated source.
var alike = regexp.MustCompile(`^(I|[^a-z]{2,}|[A-Z0-9]+_.*|_.*|.*_t|op2_.*|cl(es)?_.*|cu(da)?[A-Z].*)$`)

// ascii returns name with letters beyond ASCII replaced by their numbers.
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

// longestStem is the length up to which names of loops stay as they are. Those of fused loops join the names of all
// their kernels, while names of files, which PoCL also makes of names of kernels, have at most 255 bytes.
const longestStem = 100

// Stem returns the suffix of a generated name, or of a file's, for a name of the program. A long one keeps its
// beginning, and a digest stands for the rest.
func Stem(name string) string {
	name = strings.TrimRight(ascii(name), "_")
	if len(name) <= longestStem {
		return name
	}
	digest := sha256.Sum256([]byte(name))
	return fmt.Sprintf("%s_%x", name[:longestStem-17], digest[:8])
}

// inner returns the name of a parameter, variable or field of the program, outer that of something
// at file scope.
func inner(name string) string {
	if word := ascii(name); !special[word] && !alike.MatchString(word) {
		return word
	}
	return outer(name)
}

func outer(name string) string {
	name = ascii(name) + "_"
	if name[0] == '_' { // with a second one, it may be __global__
		name = "u" + name
	}
	return name
}

// scope assigns names that are unique among those in force.
type scope struct {
	taken map[string]bool
	given []string // the assigned names, in order, for leave
	vars  map[*kernel.Var]string
	own   map[string]string // the program's names by the assigned ones, if they differ
}

func newScope(outer *scope) *scope {
	s := &scope{taken: map[string]bool{}, vars: map[*kernel.Var]string{}, own: map[string]string{}}
	if outer != nil {
		s.own = outer.own
		for n := range outer.taken {
			s.taken[n] = true
		}
	}
	return s
}

// fresh returns a name, similar to that of a parameter, variable or field, that nothing else in the
// scope has; outer does so for file scope.
func (s *scope) fresh(name string) string {
	given := s.take(inner(name))
	if given != name {
		s.own[given] = name
	}
	return given
}

func (s *scope) outer(name string) string { return s.take(outer(name)) }

// take returns name, or one with a number if the scope already has it.
func (s *scope) take(name string) string {
	bare, dash := strings.CutSuffix(name, "_")
	for i := 2; s.taken[name]; i++ {
		name = fmt.Sprintf("%s_%d", bare, i)
		if dash {
			name += "_"
		}
	}
	s.taken[name] = true
	s.given = append(s.given, name)
	return name
}

// enter starts a block; leave, given the result of enter, ends it and frees its names for the next
// one.
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

// lanesName returns the name of a function on packs.
func lanesName(f *kernel.Func) string { return "op2_" + ascii(f.Name) + "_lanes" }
