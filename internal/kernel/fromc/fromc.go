// Package fromc is the C front end: it parses a C99 kernel and lowers it to the kernel IR, for
// analysis. What is compiled later is the source itself, so the lowering may drop what C can
// express and the IR cannot; what it keeps is right. For packs of elements and for devices the IR
// is printed, if nothing was dropped, that is, if Kernel.Exact is set.
//
// Control flow, loads and stores, and arithmetic are kept exactly, with C's types and conversions
// written out as Convert (of a bool, too: Convert of a comparison to int32 is 0 or 1). Where the IR
// cannot express something, there is an Opaque:
//
//   - a part of scalar or struct type is a value that is read;
//   - a part that is a pointer (a parameter, an element of `double *x[3]`, or an AddrOf
//     of a local variable or a place within a parameter) goes out of sight: anything may
//     happen to all of what its Root holds, from then on;
//   - its own value is unknown; its type is Basic(loop.Invalid) where no one takes it
//     or the IR has no such type.
//
// A local variable whose address escapes does not exist in the IR: reading it yields an Opaque.
//
// # Types of parameters
//
// Lengths that the C source leaves open are 0.
//
//	double *x        *float64
//	double x[3]      *[3]float64
//	double x[]       *[0]float64
//	double x[3][2]   *[3][2]float64
//	double (*x)[2]   *[0][2]float64
//	double *x[3]     *[3]*float64
//	double **x       *[0]*float64
//
// Elements are always reached by Index: *x and x[0] are both Index{Ref x, 0}. An argument of a Call
// is a pointer itself, or the AddrOf of a place: of an array for a pointer to its first element, of
// an Index for a pointer into the middle, with more elements behind it.
package fromc

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/kernel/csource"
)

// Kernel parses source, looks up the function name, and lowers it and its callees.
//
// Consts are the named values that the program has registered: they are visible in the source as
// file-scope variables, without a declaration. Those that the kernel reads are in Kernel.Consts,
// with the given types. The structs in types are declared, too, if the source mentions them by their
// names and does not declare them.
//
// The error is a *kernel.Error. Its positions are in a file called name.c, whose first line is the
// first line of source.
func Kernel(name, source string, consts []kernel.Const, types ...kernel.Type) (*kernel.Kernel, error) {
	return Of(name, csource.Given{File: name + ".c", Text: source}, nil, consts, types...)
}

// Of is Kernel for text that may include files, and may be C++ as package csource understands it. C99
// stays as it is; of other text, csource makes the C99 of this kernel. Parameters with shapes that are left out are null, others are not.
func Of(name string, given csource.Given, shapes []kernel.Shape, consts []kernel.Const, types ...kernel.Type) (*kernel.Kernel, error) {
	in := input{file: given.File, text: given.Text, shapes: shapes}
	if !kernel.IsIdentifier(name) {
		return nil, in.refuse(name, kernel.Problem{
			Msg:  fmt.Sprintf("the name %q is not an identifier of C", name),
			Hint: "give the name of the function in the source",
		})
	}
	if p := in.tooBig(); p.Msg != "" {
		return nil, in.refuse(name, p)
	}
	k, problems := in.kernel(name, consts, types)
	whole := len(problems) == 0 && !unnamed().MatchString(given.Text)
	if whole && !namesOthers(given.Text, consts, k.Consts) {
		return k, nil
	}
	if from, ok := csource.Extract(name, given, known(consts, types)); ok && from.Changed {
		in = input{file: given.File, text: from.Text, from: from, shapes: shapes}
		if problems = from.Problems; len(problems) == 0 {
			extracted, found := in.kernel(name, consts, types)
			if len(found) == 0 {
				return extracted, nil
			}
			problems = found
			problems = append(problems, missingFrom(from, problems)...)
		}
	}
	if whole {
		return k, nil
	}
	return nil, in.refuse(name, problems...)
}

// namesOthers reports whether a text names consts that its kernel does not read: code declares only those that it does.
func namesOthers(text string, consts []kernel.Const, read []*kernel.Const) bool {
	named := map[string]bool{}
	for _, w := range words(text) {
		named[w] = true
	}
	return slices.ContainsFunc(consts, func(c kernel.Const) bool {
		return named[c.Name] && !slices.ContainsFunc(read, func(r *kernel.Const) bool { return r.Name == c.Name })
	})
}

// unnamed matches a namespace that the parser of C takes for an old function.
var unnamed = pattern(`\bnamespace\s*\{`)

// kernel parses and lowers the function called name.
func (in input) kernel(name string, consts []kernel.Const, types []kernel.Type) (k *kernel.Kernel, problems []kernel.Problem) {
	if list := in.reserved(); len(list) > 0 {
		return nil, list
	}
	defer func() {
		if r := recover(); r != nil {
			k, problems = nil, []kernel.Problem{{
				Pos:  kernel.Pos{File: in.file},
				Msg:  fmt.Sprintf("internal error in the analysis of C: %v", r),
				Hint: "please report the source; simpler C may pass",
			}}
		}
	}()
	var read []kernel.Type
	for _, c := range consts {
		if strings.Contains(in.text, c.Name) {
			read = append(read, c.Type)
		}
	}
	structs := kernel.CTypes(in.text, types, read)
	p := in.parse(structs, consts)
	p.Lock()
	defer p.Unlock()
	if len(p.problems) > 0 {
		return nil, slices.Clone(p.problems)
	}
	u := newUnit(name, in, p.ast, p.declared)
	k = u.lower()
	if len(u.problems) > 0 {
		return nil, u.problems
	}
	k.Name, k.Source, k.File, k.Texts, k.Types = name, in.text, in.file, in.texts(), structs
	return k, nil
}

// missingFrom returns the headers that may declare the names that are unknown to the parser.
func missingFrom(from *csource.Source, problems []kernel.Problem) (missing []kernel.Problem) {
	if !slices.ContainsFunc(problems, func(p kernel.Problem) bool {
		return strings.HasPrefix(p.Msg, "undefined") || strings.HasPrefix(p.Msg, "unexpected")
	}) {
		return nil
	}
	return from.Missing
}

const (
	maxSource = 1 << 20 // bytes
	maxDepth  = 400     // of brackets; C99 guarantees 63
)

// tooBig protects the recursive parser against absurd input. The problem has no message if there is none.
func (in input) tooBig() kernel.Problem {
	p := kernel.Problem{Pos: kernel.Pos{File: in.file}}
	if len(in.text) > maxSource {
		p.Msg = fmt.Sprintf("the source has %d bytes, at most %d are read", len(in.text), maxSource)
		return p
	}
	depth, line := 0, 1
	for i := 0; i < len(in.text) && depth <= maxDepth; i++ {
		switch in.text[i] {
		case '\n':
			line++
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
	}
	if depth > maxDepth {
		p.Pos.Line, p.Msg = line, fmt.Sprintf("brackets are nested more than %d deep", maxDepth)
	}
	return p
}
