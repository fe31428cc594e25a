package fromc

import (
	"fmt"
	"io"
	"runtime"
	"strings"

	"modernc.org/cc/v4"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// preludeFile names the text before the kernel's source. The parser lets only a file with this name
// define macros such as __STDC_VERSION__.
const preludeFile = "<predefined>"

// endFile names the text after the kernel's source. There has to be some: the parser does not
// return if the input ends within some declarations.
const endFile = "<end>"

// translate parses and type-checks source. Declared are the consts that it sees: all except those
// whose name it uses for a variable of its own. Structs is text that precedes the source.
func translate(in input, structs string, consts []kernel.Const) (ast *cc.AST, declared map[string]kernel.Const, problems []kernel.Problem) {
	file, source := in.file, in.text
	declared = map[string]kernel.Const{}
	for _, c := range consts {
		if strings.Contains(source, c.Name) && isIdentifier(c.Name) {
			declared[c.Name] = c
		}
	}
	ast, err := run(file, source, structs, declared, false)
	if err != nil && dropShadowed(declared, file, source, structs) {
		ast, err = run(file, source, structs, declared, false)
	}
	if err != nil {
		return nil, nil, explain(err, in, consts)
	}
	return ast, declared, nil
}

// dropShadowed removes the consts whose names the source declares as something else, and reports
// whether there are any.
func dropShadowed(declared map[string]kernel.Const, file, source, structs string) bool {
	ast, err := run(file, source, structs, nil, true)
	if err != nil {
		return false
	}
	n := len(declared)
	for name := range declared {
		for _, node := range ast.Scope.Nodes[name] {
			switch d := node.(type) {
			case *cc.Enumerator:
				delete(declared, name)
			case *cc.Declarator:
				if d.IsTypename() || d.IsStatic() || d.HasInitializer() || d.Type().Kind() == cc.Function {
					delete(declared, name)
				}
			}
		}
	}
	return len(declared) < n
}

// run calls the parser, which panics on some input that is not C. With outline it skips function
// bodies.
func run(file, source, structs string, declared map[string]kernel.Const, outline bool) (ast *cc.AST, err error) {
	defer func() {
		if r := recover(); r != nil {
			ast, err = nil, fmt.Errorf("%s:1:1: the C parser gives up on this source (%v)", file, r)
		}
	}()
	cfg, sources, err := configure(file, source, structs, declared)
	if err != nil {
		return nil, err
	}
	cfg.Header = outline
	if strings.ContainsAny(source, "#%?") || strings.Contains(source, "_Pragma") {
		// An invalid directive ends the source at that point.
		if err := cc.Preprocess(cfg, sources, io.Discard); err != nil {
			return nil, err
		}
	}
	return cc.Translate(cfg, sources)
}

// configure returns the parser's configuration and input.
func configure(file, source, structs string, declared map[string]kernel.Const) (*cc.Config, []cc.Source, error) {
	abi, err := hostABI()
	if err != nil {
		return nil, nil, err
	}
	cfg := &cc.Config{
		ABI:             abi,
		FS:              headers,
		FSOnly:          true,
		IncludePaths:    []string{headerDir},
		SysIncludePaths: []string{headerDir},
		ExpansionLimit:  1 << 20,
		DefaultWcharT:   cc.Int,
	}
	return cfg, []cc.Source{
		{Name: preludeFile, Value: prelude(abi, source, structs, declared)},
		{Name: file, Value: source + "\n\n"}, // two, after a backslash
		{Name: endFile, Value: "typedef int __op2_end[1]; int __op2_function(__op2_end);\n"},
	}, nil
}

// hostABI returns the sizes and alignments of C's types on this machine.
func hostABI() (*cc.ABI, error) {
	if abi, err := cc.NewABI(runtime.GOOS, runtime.GOARCH); err == nil {
		return abi, nil
	}
	return cc.NewABI("linux", "amd64")
}

// prelude returns the text before a source: the few predefined macros and typedefs that the headers
// and the parser's type checker need, declarations that need no #include, and the consts.
func prelude(abi *cc.ABI, source, structs string, consts map[string]kernel.Const) string {
	long := "long"
	if abi.Types[cc.Long].Size < 8 {
		long = "long long"
	}
	word := long
	if abi.Types[cc.Ptr].Size < 8 {
		word = "int"
	}
	var b strings.Builder
	fmt.Fprintf(&b, `#define __STDC__ 1
#define __STDC_VERSION__ 199901L
#define __STDC_HOSTED__ 1
#define __SIZEOF_LONG__ %d
#define __SIZE_TYPE__ unsigned %s
#define __PTRDIFF_TYPE__ %s
#define __INT8_BASE__ char
#define __INT16_BASE__ short
#define __INT32_BASE__ int
#define __INT64_BASE__ %s
#define __extension__
int __predefined_declarator;
typedef __SIZE_TYPE__ __predefined_size_t;
typedef __PTRDIFF_TYPE__ __predefined_ptrdiff_t;
`, abi.Types[cc.Long].Size, word, word, long)
	b.WriteString(visible(source + structs))
	b.WriteString(structs + "\n")
	for _, c := range consts {
		b.WriteString(declaration(c))
	}
	return b.String()
}

// declaration returns c's declaration for the parser.
func declaration(c kernel.Const) string {
	elem, dims := c.Type, ""
	for {
		a, ok := elem.(*kernel.Array)
		if !ok {
			break
		}
		dims += fmt.Sprintf("[%d]", a.Len)
		elem = a.Elem
	}
	if s, ok := elem.(*kernel.Struct); ok {
		return fmt.Sprintf("extern const %s %s%s;\n", s.Name, c.Name, dims)
	}
	s := kernel.Scalar(elem)
	if s == loop.Invalid {
		s = loop.Float64
	}
	return fmt.Sprintf("extern const %s %s%s;\n", spelling[s], c.Name, dims)
}

// spelling maps the scalars to their C names without any header.
var spelling = map[loop.Scalar]string{
	loop.Bool:    "_Bool",
	loop.Int8:    "signed char",
	loop.Int16:   "short",
	loop.Int32:   "int",
	loop.Int64:   "long long",
	loop.Uint8:   "unsigned char",
	loop.Uint16:  "unsigned short",
	loop.Uint32:  "unsigned",
	loop.Uint64:  "unsigned long long",
	loop.Float32: "float",
	loop.Float64: "double",
}
