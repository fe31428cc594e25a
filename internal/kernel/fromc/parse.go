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

// run calls the parser, which panics on some input that is not C. With outline it skips function
// bodies.
func (in input) run(structs string, declared map[string]kernel.Const, outline bool) (ast *cc.AST, err error) {
	defer func() {
		if r := recover(); r != nil {
			ast, err = nil, fmt.Errorf("%s:1:1: the C parser gives up on this source (%v)", in.file, r)
		}
	}()
	cfg, sources := in.configure(structs, declared)
	cfg.Header = outline
	if strings.ContainsAny(in.text, "#%?") || strings.Contains(in.text, "_Pragma") {
		// An invalid directive ends the source at that point.
		if err := cc.Preprocess(cfg, sources, io.Discard); err != nil {
			return nil, err
		}
	}
	return cc.Translate(cfg, sources)
}

// configure returns the parser's configuration, with the sizes of C's types on this machine, and its input.
func (in input) configure(structs string, declared map[string]kernel.Const) (*cc.Config, []cc.Source) {
	abi, err := cc.NewABI(runtime.GOOS, runtime.GOARCH)
	if err != nil {
		abi, _ = cc.NewABI("linux", "amd64")
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
		{Name: preludeFile, Value: prelude(abi, in.text, structs, declared)},
		{Name: in.file, Value: in.text + "\n\n"}, // two, after a backslash
		{Name: endFile, Value: "typedef int __op2_end[1]; int __op2_function(__op2_end);\n"},
	}
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
	known := structs + "\n"
	for _, c := range consts {
		if c.Type == nil {
			c.Type = kernel.Basic(loop.Float64)
		}
		known += "extern const " + kernel.CDeclaration(c.Type, c.Name) + ";\n"
	}
	return b.String() + visible(source+known) + known
}
