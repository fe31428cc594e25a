package text

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"regexp"
	"strings"

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
	set := Words(OtherKeywords + `
		auto break case char const continue default do double else enum extern float for goto if inline int long
		register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
		alignas alignof asm bool constexpr false nullptr static_assert thread_local true typeof typeof_unqual

		linux unix i386 errno stdin stdout stderr math_errhandling complex imaginary noreturn assert

		memcpy isnan signbit op2 isfinite isinf setjmp`)
	for _, f := range mathfn.CNames() {
		set[f], set[f+"f"] = true, true
	}
	return set
}()

// OtherKeywords are keywords of OpenCL C and C++ that C does not have.
const OtherKeywords = `
	kernel global local constant private generic uniform pipe half read_only write_only read_write
	uchar ushort uint ulong vec_step

	and and_eq bitand bitor catch class compl concept const_cast consteval constinit co_await co_return
	co_yield decltype delete dynamic_cast explicit export friend mutable namespace new noexcept not not_eq
	operator or or_eq private protected public reinterpret_cast requires static_cast template this throw
	try typeid typename using virtual xor xor_eq `

// macroLike matches names that look like a macro, a type of a header or a name of the generated source.
var macroLike = regexp.MustCompile(`^(I|[^a-z]{2,}|[A-Z0-9]+_.*|_.*|.*_t|op2_.*|cl(es)?_.*|cu(da)?[A-Z].*)$`)

// Ascii returns name with letters beyond ASCII replaced by their numbers.
func Ascii(name string) string {
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
	name = strings.TrimRight(Ascii(name), "_")
	if len(name) <= longestStem {
		return name
	}
	digest := sha256.Sum256([]byte(name))
	return fmt.Sprintf("%s_%x", name[:longestStem-17], digest[:8])
}

// Inner returns the name of a parameter, variable or field of the program, outer that of something
// at file scope.
func Inner(name string) string {
	if word := Ascii(name); !special[word] && !macroLike.MatchString(word) {
		return word
	}
	return Outer(name)
}

func Outer(name string) string {
	name = Ascii(name) + "_"
	if name[0] == '_' { // with a second one, it may be __global__
		name = "u" + name
	}
	return name
}

// Scope assigns names that are unique among those in force.
type Scope struct {
	taken    map[string]bool
	assigned []string          // the assigned names, in order, for leave
	own      map[string]string // the program's names by the assigned ones, if they differ
}

func NewScope(outer *Scope) *Scope {
	s := &Scope{taken: map[string]bool{}, own: map[string]string{}}
	if outer != nil {
		s.own = outer.own
		for n := range outer.taken {
			s.taken[n] = true
		}
	}
	return s
}

// Fresh returns a name, similar to that of a parameter, variable or field, that nothing else in the
// scope has; outer does so for file scope.
func (s *Scope) Fresh(name string) string {
	given := s.Take(Inner(name))
	if given != name {
		s.own[given] = name
	}
	return given
}

func (s *Scope) Outer(name string) string { return s.Take(Outer(name)) }

// Take returns name, or one with a number if the scope already has it.
func (s *Scope) Take(name string) string {
	bare, dash := strings.CutSuffix(name, "_")
	for i := 2; s.taken[name]; i++ {
		name = fmt.Sprintf("%s_%d", bare, i)
		if dash {
			name += "_"
		}
	}
	s.taken[name] = true
	s.assigned = append(s.assigned, name)
	return name
}

// Enter starts a block; leave, given the result of enter, ends it and frees its names for the next
// one.
func (s *Scope) Enter() int { return len(s.assigned) }

func (s *Scope) Leave(mark int) {
	for _, name := range s.assigned[mark:] {
		delete(s.taken, name)
	}
	s.assigned = s.assigned[:mark]
}

// Reserve keeps the words of a text from being assigned.
func (s *Scope) Reserve(text string) {
	for word := range Words(text) {
		s.taken[word] = true
	}
}

// Has reports whether a name is in force or reserved.
func (s *Scope) Has(name string) bool { return s.taken[name] }

// Originals returns the program's names by those that were assigned in their place.
func (s *Scope) Originals() map[string]string { return maps.Clone(s.own) }

// Words returns the set of words of a text.
func Words(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}
