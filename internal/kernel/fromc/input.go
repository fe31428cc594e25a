package fromc

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/kernel/csource"
)

// input is C text that is parsed.
type input struct {
	file, text string
	from       *csource.Source // which the text was made by; nil if it is the program's own
	shapes     []kernel.Shape  // behind the kernel's parameters, if they are known
}

// origin returns the position in the program's files for one that the parser reports.
func (in input) origin(pos kernel.Pos) kernel.Pos {
	if in.from == nil {
		return pos
	}
	return in.from.Origin(pos)
}

// texts returns the program's files.
func (in input) texts() map[string]string {
	if in.from == nil {
		return map[string]string{in.file: in.text}
	}
	return in.from.Texts
}

// refuse returns the error for problems, which shows the lines that they are in.
func (in input) refuse(name string, problems ...kernel.Problem) error {
	problems = inOrder(problems)
	kernel.Quote(problems, in.texts())
	return &kernel.Error{Kernel: name, Problems: problems}
}

// Functions returns the functions that a text defines, and where.
func Functions(given csource.Given) map[string]kernel.Pos {
	return csource.Functions(given, standard())
}

// known returns what kernels may use without declaring it.
func known(consts []kernel.Const, types []kernel.Type) csource.Known {
	k := standard()
	k.Consts = consts
	types = slices.Clone(types)
	for _, c := range consts {
		types = append(types, c.Type)
	}
	for _, t := range types {
		k.Structs = append(k.Structs, structNames(t)...)
	}
	return k
}

func structNames(t kernel.Type) (names []string) {
	switch t := t.(type) {
	case *kernel.Array:
		return structNames(t.Elem)
	case *kernel.Struct:
		names = []string{t.Name}
		for _, f := range t.Fields {
			names = append(names, structNames(f.Type)...)
		}
	}
	return names
}

// reserved refuses names with the prefixes of generated code.
func (in input) reserved() (list []kernel.Problem) {
	for _, w := range csource.Words(in.file, in.text, in.from != nil) {
		if strings.HasPrefix(w.Text, "op2_") || strings.HasPrefix(w.Text, "OP2_") {
			list = append(list, kernel.Problem{
				Pos:  in.origin(w.Pos),
				Msg:  w.Text + ": names that begin with op2_ are reserved for generated code",
				Hint: "give it another name",
			})
		}
	}
	return list
}

// at returns the position of n in the parsed text.
func at(n cc.Node) kernel.Pos {
	p := n.Position()
	return kernel.Pos{File: p.Filename, Line: p.Line, Col: p.Column}
}

// posOf returns the position of byte i of a source.
func posOf(i int, source, file string) kernel.Pos {
	before := source[:i]
	return kernel.Pos{
		File: file,
		Line: strings.Count(before, "\n") + 1,
		Col:  i - strings.LastIndex(before, "\n"),
	}
}

// inOrder sorts problems by position and removes duplicates.
func inOrder(ps []kernel.Problem) (out []kernel.Problem) {
	slices.SortStableFunc(ps, kernel.ByPlace)
	for _, p := range ps {
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}
