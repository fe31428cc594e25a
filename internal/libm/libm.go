// Package libm holds mathematical functions in C: forms for packs of elements, which generated loops contain, and a
// library of them, Source, for programs without a C library.
//
// Results are within 1 unit in the last place of the true value, for all arguments, with C99's results for NaN,
// infinities and zeros; near its zeros below 0, lgamma is within 2^-55 of it. Functions of floats are those of doubles,
// rounded.
package libm

import (
	_ "embed"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/go-op2/op2/internal/codegen/text"
)

var (
	//go:embed csrc/head.c
	head string
	//go:embed csrc/packs.c
	packs string
	//go:embed csrc/reduce.c
	reduce string
	//go:embed csrc/scalar.c
	scalar string
	//go:embed csrc/exact.c
	exact string
)

var (
	sections  = text.Sections(packs)
	heads     = regexp.MustCompile(`(?m)^//: (\w+)$`)
	mentioned = regexp.MustCompile(`\bVEC_(\w+)`)
)

// Packs returns functions of a type of vectors of doubles, and those that they call. The type's name
// begins theirs, as in op2_vec_exp, and that of its vectors of int64_t, as in op2_vec_words.
func Packs(vec string, functions ...string) string {
	used := map[string]bool{}
	var use func(name string)
	use = func(name string) {
		if used[name] || sections[name] == "" {
			return
		}
		used[name] = true
		for _, m := range mentioned.FindAllStringSubmatch(sections[name], -1) {
			use(m[1])
		}
	}
	for _, f := range functions {
		use(f)
	}
	var b strings.Builder
	for _, name := range inOrder() {
		if used[name] {
			b.WriteString(sections[name] + "\n")
		}
	}
	return strings.NewReplacer("VEC", vec, "INLINE", "static inline __attribute__((always_inline))").Replace(b.String())
}

// inOrder returns the names of all sections: each function is behind those that it calls.
func inOrder() []string {
	var names []string
	for _, m := range heads.FindAllStringSubmatch(packs, -1) {
		names = append(names, m[1])
	}
	return names
}

// Two returns functions as Packs does, of pairs of doubles, op2_two, with their types: the forms for one element,
// in the first of a pair.
func Two(functions ...string) string {
	return "typedef double op2_two __attribute__((vector_size(16)));\ntypedef int64_t op2_two_words __attribute__((vector_size(16)));\n\n" +
		reduce + "\n" + Packs("op2_two", functions...)
}

// Source is the library: C of its own that needs no other, for x86-64 with FMA (x86-64-v3) and arm64, where gcc
// and clang compile it with -ffreestanding -fno-builtin -fno-math-errno -fno-trapping-math.
var Source = head + Two(ofPacks()...) + scalar + "\n" + exact

// ofPacks returns the functions of packs that the library calls.
func ofPacks() []string {
	var names []string
	for _, m := range calls.FindAllStringSubmatch(scalar, -1) {
		names = append(names, m[1])
	}
	return names
}

var calls = regexp.MustCompile(`(?:\bop2_two_|\bOF_PACKS2?\()(\w+)`)

var (
	defined = regexp.MustCompile(`(?m)^(?:double|float|int|void) \*?(\w+)\(`)
	inPairs = regexp.MustCompile(`(?m)^(?:OF_PACKS2?|INSTRUCTION|IN_DOUBLE|WHOLE)\((?:[a-z ]+, )?(\w+)`)
)

// Names are those of the functions that Source defines, in order: of <math.h> for double and float, and of <string.h>.
var Names = func() []string {
	var names []string
	for _, m := range defined.FindAllStringSubmatch(Source, -1) {
		names = append(names, m[1])
	}
	for _, m := range inPairs.FindAllStringSubmatch(Source, -1) {
		names = append(names, m[1], m[1]+"f")
	}
	sort.Strings(names)
	return slices.Compact(names)
}()
