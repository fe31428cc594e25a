// Package userkernel holds kernels as programs give them: a Go function with its source, or a function
// that another front end reads. It lowers them to kernel IR, keeps those that were seen before, and
// compares a Go function with its source, which may be of another time. What a loop passes to a kernel
// is checked elsewhere.
package userkernel

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/kernel/fromgo"
	"github.com/go-op2/op2/internal/problem"
)

// Kernel is the work for one element: a Go function together with its source, or a C function. It
// can be used in any number of loops and runtimes. Mistakes in it are reported by the first loop
// that uses it.
type Kernel struct {
	name string
	err  error // found without reading the source

	fn       unsafe.Pointer // a Go kernel as it is called: the word of a func value
	function any            // the func value, as the program gave it
	source   *Source
	file     string // position of the compiled function
	line     int

	read    Reader                  // of a C kernel
	lowered Table[string, *lowered] // for each kind of arguments
	own     bool                    // one of the library's, which need no warnings, and are not recorded
	alone   bool                    // see Alone

	gap     atomic.Value // a string: the parts of the function that have not been compared with its source
	base    *Kernel      // the kernel without the choices in tune; nil if this is it
	choices choice.Choices

	comparing sync.Mutex
	compared  map[string]error // by consts and their values: whether the function matches its source
}

// Source is Go source text that contains kernels.
type Source struct {
	pkg     *fromgo.Package
	err     error // what is wrong with the texts
	kernels Table[unsafe.Pointer, *Kernel]
	own     bool // the library's
}

// Reader lowers a kernel in another language than Go, which may read the consts, for arguments of some
// shapes and types.
type Reader func(shapes []kernel.Shape, consts []kernel.Const, types ...kernel.Type) (*kernel.Kernel, error)

// sources caches the most recent ones: the same text gives the same kernels, which cached loops are
// found by.
var sources = Table[texts, *Source]{Most: 64}

type texts struct {
	joined string
	n      int
	own    bool
}

// ManyKernels is the number of functions of one source that are cached.
const ManyKernels = 1024

// Kernels takes the source of the files that contain the program's kernels and the functions they
// call, usually embedded:
//
//	//go:embed kernels.go
//	var source string
//
// The same texts give the same Source.
func Kernels(files ...string) *Source { return sourceOf(false, files) }

// OwnKernels is Kernels for source of the library.
func OwnKernels(files ...string) *Source { return sourceOf(true, files) }

func sourceOf(own bool, files []string) *Source {
	return Get(&sources, texts{strings.Join(files, "\x00"), len(files), own}, func() *Source {
		s := &Source{pkg: fromgo.Parse(files...).Importing(exportedBy), err: noSource(files), own: own}
		s.kernels.Most = ManyKernels
		return s
	})
}

// noSource detects the most likely mistakes in the texts.
func noSource(files []string) error {
	if len(files) == 0 {
		return errors.New("no source is given\n  hint: pass the text of the kernels' file to op2.Kernels")
	}
	for i, text := range files {
		which := "the source"
		if len(files) > 1 {
			which = fmt.Sprintf("source %d", i+1)
		}
		if err := NotText(which, text, ".go"); err != nil {
			return err
		}
	}
	return nil
}

// NotText returns an error for a source, called which in it, that is empty or the name of a file with
// the given ending.
func NotText(which, source, ending string) error {
	switch source = strings.TrimSpace(source); {
	case source == "":
		return fmt.Errorf("%s is empty: is //go:embed missing?\n"+
			"  hint: embed the kernels' file: //go:embed kernels%s, and in the next line: var source string", which, ending)
	case strings.HasSuffix(source, ending) && !strings.Contains(source, "\n"):
		return fmt.Errorf("%s is %q: this is a file's name, its text is needed\n"+
			"  hint: embed it: //go:embed %s, and in the next line: var source string", which, source, source)
	}
	return nil
}

// Func returns the kernel for the Go function f, whose source must be in s. f must be a top-level
// function without results whose parameters are pointers or slices. The same function gives the same
// kernel.
func (s *Source) Func(f any) *Kernel {
	if s == nil || s.pkg == nil {
		return &Kernel{name: "?", err: errors.New("op2: the kernel's *Source is nil, or was not made by Kernels")}
	}
	if fn := funcWord(f); fn != nil {
		return Get(&s.kernels, fn, func() *Kernel { return s.newKernel(f) })
	}
	return s.newKernel(f)
}

// funcWord returns the word of a plain function's func value, which is always the same; nil for
// other values.
func funcWord(f any) unsafe.Pointer {
	if v := reflect.ValueOf(f); v.Kind() != reflect.Func || v.IsNil() {
		return nil
	}
	return (*[2]unsafe.Pointer)(unsafe.Pointer(&f))[1]
}

func (s *Source) newKernel(f any) *Kernel {
	v := reflect.ValueOf(f)
	switch {
	case f == nil:
		return &Kernel{name: "nil", err: errors.New("op2: a kernel is a Go function, nil was given")}
	case v.Kind() != reflect.Func:
		return &Kernel{name: "?", err: fmt.Errorf("op2: a kernel is a Go function, a value of type %T was given", f)}
	case v.IsNil():
		return &Kernel{name: "nil", err: fmt.Errorf("op2: a kernel is a Go function, a nil %T was given", f)}
	}
	k := &Kernel{source: s, fn: funcWord(f), function: f, own: s.own, lowered: Table[string, *lowered]{Most: manyLowered}}
	pc := v.Pointer()
	info := runtime.FuncForPC(pc)
	full := info.Name()
	k.file, k.line = info.FileLine(pc)
	inPackage := full[strings.LastIndex(full, "/")+1:]
	_, name, _ := strings.Cut(inPackage, ".")
	k.name = strings.TrimSuffix(name, "-fm") // the suffix of a method value
	if strings.ContainsAny(name, ".-[") {
		k.err = problem.Kernelf(k.name, "it is not a plain top-level function\n"+
			"  hint: kernels are declared as func name(x *[2]float64, ...); methods, function literals and generic functions cannot be translated")
		return k
	}
	if s.err != nil {
		k.err = problem.Kernelf(k.name, "%w", s.err)
		return k
	}
	t := v.Type()
	if t.IsVariadic() {
		k.err = problem.Kernelf(k.name, "it takes any number of arguments\n"+
			"  hint: declare one pointer for each argument of the loop")
		return k
	}
	for i := range t.NumIn() {
		switch t.In(i).Kind() {
		case reflect.Pointer, reflect.Slice:
		default:
			k.err = problem.Kernelf(k.name, "parameter %d is a %s\n"+
				"  hint: every parameter of a kernel is a pointer, *[n]T or *T for a single value, or a slice, []T", i+1, t.In(i))
			return k
		}
	}
	if t.NumOut() > 0 {
		k.err = problem.Kernelf(k.name, "it has results\n"+
			"  hint: a kernel leaves its results where its parameters point")
	}
	return k
}

// New returns a kernel in another language than Go, from a file.
func New(name, file string, read Reader) *Kernel {
	return &Kernel{name: name, file: file, read: read, lowered: Table[string, *lowered]{Most: manyLowered}}
}

// Instance returns the library's kernel called name for values of one type: its source has that in place
// of a type parameter. The backend go calls f, the instance for the type; nil for a kernel that never runs there.
func (s *Source) Instance(name string, f any) *Kernel {
	k := &Kernel{name: name, source: s, own: true, lowered: Table[string, *lowered]{Most: manyLowered}}
	if f != nil {
		k.fn = funcWord(f)
	}
	return k
}

// Alone makes each rank run the kernel's loops by itself, over the elements that belong to it: they send
// nothing, what they reduce is what this rank has, and halos of what they change are outdated. It is for
// operations that other backends do on the host, where ranks need not have the same backend.
func (k *Kernel) Alone() *Kernel {
	k.alone = true
	return k
}

// RunsAlone reports whether each rank runs the kernel's loops by itself.
func (k *Kernel) RunsAlone() bool { return k.alone }

// Joined returns a placeholder for several kernels with the same choices: a name without source.
func Joined(name string, kernels ...*Kernel) *Kernel {
	own := slices.ContainsFunc(kernels, (*Kernel).Own)
	return &Kernel{name: name, own: own, choices: kernels[0].choices}
}

// Name returns the name of the kernel's function.
func (k *Kernel) Name() string { return k.name }

// Place tells kernels of one name apart: it has the file of the function.
func (k *Kernel) Place() string { return k.file + " " + k.name }

// File returns the file of the kernel's function, as the Go compiler was given it.
func (k *Kernel) File() string { return k.untuned().file }

// At returns where the kernel's function is: "kernels.go:12"; "" if that is not known.
func (k *Kernel) At() string {
	switch k = k.untuned(); {
	case k.file == "":
		return ""
	case k.line == 0:
		return filepath.Base(k.file)
	}
	return fmt.Sprintf("%s:%d", filepath.Base(k.file), k.line)
}

// Text returns the source of a Go kernel's function, with its comment; "" for others.
func (k *Kernel) Text() string {
	if k = k.untuned(); k.source == nil || k.source.pkg == nil {
		return ""
	}
	return k.source.pkg.Text(k.name)
}

// Func returns the word of a Go kernel's func value; nil for a C kernel.
func (k *Kernel) Func() unsafe.Pointer { return k.fn }

// Own reports whether the kernel is one of the library's, which need no warnings.
func (k *Kernel) Own() bool { return k.own }

// Choices returns what its user has chosen for its loops.
func (k *Kernel) Choices() choice.Choices { return k.choices }

// Gap describes the parts of the function that have not been compared with its source; "" if there
// are none, or if no comparison has ended yet.
func (k *Kernel) Gap() string {
	gap, _ := k.gap.Load().(string)
	return gap
}

// Lower returns the kernel's IR, analyzed for arguments of the given shapes. A C kernel may read
// the consts.
func (k *Kernel) Lower(consts []kernel.Const, shapes []kernel.Shape) (*kernel.Kernel, error) {
	if k.err != nil {
		return nil, k.err
	}
	k = k.untuned()
	switch {
	case k.source != nil:
		return k.lowerGo(shapes)
	case k.read == nil:
		return nil, errors.New("op2: the kernel was not made by Func, nor by package ckernel")
	}
	return Get(&k.lowered, loweredKey(consts, shapes), func() *lowered {
		var types []kernel.Type
		for _, s := range shapes {
			if s.Value != nil {
				types = append(types, kernel.TypeOf(s.Value))
			}
		}
		ir, err := k.read(shapes, consts, types...)
		if err != nil {
			return &lowered{err: problem.OfKernel(err)}
		}
		return ended(ir, shapes, true)
	}).result()
}

// lowerGo returns the IR of a Go kernel, analyzed: that of a kernel with slices for their lengths.
func (k *Kernel) lowerGo(shapes []kernel.Shape) (*kernel.Kernel, error) {
	lengths := k.lengths(shapes)
	return Get(&k.lowered, fmt.Sprint(len(shapes), lengths), func() *lowered { return k.newIR(lengths, shapes) }).result()
}

// ended returns a kernel that a front end has lowered, without what the call leaves out, and analyzed.
func ended(ir *kernel.Kernel, shapes []kernel.Shape, c bool) *lowered {
	if len(shapes) == len(ir.Entry().Params) {
		if found := ir.LeaveOut(shapes); len(found) > 0 {
			return &lowered{err: problem.OfKernel(ir.Refuse(found))}
		}
	}
	shapes = slices.DeleteFunc(slices.Clone(shapes), func(s kernel.Shape) bool { return s.LeftOut })
	switch {
	case !c:
		kernel.Analyze(ir, nil)
	case len(shapes) == len(ir.Entry().Params):
		kernel.Analyze(ir, shapes)
	}
	return &lowered{ir: ir}
}

// newIR lowers and analyzes a Go kernel. A fault of the library's is an error of the kernel.
func (k *Kernel) newIR(lengths [][]kernel.Length, shapes []kernel.Shape) (result *lowered) {
	defer func() {
		if fault := recover(); fault != nil {
			result = &lowered{err: problem.Kernelf(k.name, "the library failed to translate it: %v\n  hint: please report this, with the kernel", fault)}
		}
	}()
	ir, err := k.source.pkg.Kernel(k.name, k.file, k.line, lengths...)
	if err == nil && k.function != nil {
		err = k.sameParams(ir)
	}
	if err != nil {
		return &lowered{err: problem.OfKernel(err)}
	}
	return ended(ir, shapes, false)
}

// lowered is the IR of a kernel; that of a C kernel is for certain consts and argument shapes, that
// of a Go kernel for certain lengths of slices, and arguments that are left out.
type lowered struct {
	ir  *kernel.Kernel
	err error
}

func (l *lowered) result() (*kernel.Kernel, error) { return l.ir, l.err }

func loweredKey(consts []kernel.Const, shapes []kernel.Shape) string {
	var key strings.Builder
	for _, c := range consts {
		fmt.Fprint(&key, c.Name, " ", c.Type, "; ")
	}
	for _, s := range shapes {
		addShape(&key, s)
	}
	return key.String()
}

// addShape adds a text that differs for shapes that C kernels are lowered for differently.
func addShape(key *strings.Builder, s kernel.Shape) {
	parts, value := s.Parts, s.Value
	s.Parts, s.Value = nil, nil
	fmt.Fprint(key, s)
	if value != nil {
		fmt.Fprint(key, value, value.Leaves())
	}
	for _, p := range parts {
		addShape(key, p.Shape)
	}
}

// manyLowered is the number of these that are cached for one kernel.
const manyLowered = 16
