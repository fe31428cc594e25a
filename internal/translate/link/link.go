package link

import (
	"cmp"
	"debug/elf"
	"fmt"
	"slices"
	"strings"
)

// An Entry is a C function that Go calls.
type Entry struct {
	Symbol  string // of the C function
	Name    string // of the Go function
	Indexed bool   // called as f(args, i) for a range of i, not as f(args)
}

// Options change what is refused. The zero value is valid.
type Options struct {
	// IndirectCalls permits calls of functions whose address is computed, for code that is known never to make
	// them: their stack is not counted.
	IndirectCalls bool

	// MaxStack is how many bytes of stack an entry may need; 0 means 64 KiB.
	MaxStack int
}

// An Image is linked code.
type Image struct {
	Arch      string // amd64 or arm64
	Functions []Function
}

// A Function is code in one piece: of the entries from one object, with all that they need. It may be placed at any
// multiple of Align.
type Function struct {
	Name  string // of the first entry
	Calls []Call
	Code  []byte
	Parts []Part // what is in Code, in order: functions, then constants

	avx bool // it may leave the upper halves of vector registers set
}

// A Call is how Go enters a function.
type Call struct {
	Entry
	Offset int // in Code
	Stack  int // bytes that the entry and what it calls use at most
}

// A Part is a function of C, or a section of constants.
type Part struct {
	Name   string
	Offset int
}

// Align is the alignment of the code of a function.
const Align = 64

const defaultMaxStack = 64 << 10

// Link links the entries with all that they need from the objects. The error is an *Error.
func Link(objects []Object, entries []Entry, options Options) (*Image, error) {
	if options.MaxStack == 0 {
		options.MaxStack = defaultMaxStack
	}
	l := &linker{
		options: options, globals: map[string]definition{}, reported: map[Problem]bool{},
		calls: map[function][]function{}, stack: map[function]int{},
	}
	for i := range objects {
		if err := l.read(&objects[i]); err != nil {
			l.problem(&objects[i], "", err.Error())
		}
	}
	if len(l.problems) > 0 {
		return nil, &Error{l.problems}
	}
	var order []*Object
	groups := map[*Object]*group{}
	for _, e := range entries {
		d, ok := l.globals[e.Symbol]
		if !ok || !d.section.code() || d.at != 0 {
			l.problem(&Object{}, e.Symbol, "is no function that an object defines, in a section of its own")
			continue
		}
		o := d.section.object
		if groups[o] == nil {
			order, groups[o] = append(order, o), &group{}
		}
		groups[o].entries = append(groups[o].entries, e)
		groups[o].starts = append(groups[o].starts, d.section)
	}
	image := &Image{}
	for _, o := range order {
		image.Arch = l.machine.arch
		image.Functions = append(image.Functions, l.link(groups[o]))
	}
	if len(l.problems) > 0 {
		return nil, &Error{l.problems}
	}
	return image, nil
}

// A group is the entries from one object, with the sections that they start.
type group struct {
	entries []Entry
	starts  []*section
}

// A linker is the state that the links of several entries share.
type linker struct {
	options  Options
	machine  *machine
	globals  map[string]definition
	problems []Problem
	reported map[Problem]bool
	calls    map[function][]function // those that a function may call
	stack    map[function]int        // in the worst case, with the calls
}

func (l *linker) problem(o *Object, function, what string) {
	p := Problem{o.Name, function, what}
	if !l.reported[p] {
		l.reported[p] = true
		l.problems = append(l.problems, p)
	}
}

// link links the entries of a group.
func (l *linker) link(g *group) Function {
	sections := l.reachable(g.starts)
	f := Function{Name: g.entries[0].Name}
	for i, e := range g.entries {
		stack := l.worst(functionOf(g.starts[i]), nil)
		if stack > l.options.MaxStack {
			l.problem(g.starts[i].object, e.Symbol, fmt.Sprintf("needs %d bytes of stack, more than %d", stack, l.options.MaxStack))
		}
		f.Calls = append(f.Calls, Call{Entry: e, Stack: stack})
	}
	if len(l.problems) > 0 {
		return f
	}
	placed := map[*section]int{}
	for _, s := range sections {
		align, fill := max(s.align, 8), byte(0)
		if s.code() {
			align, fill = max(s.align, 16), l.machine.fill
			f.avx = f.avx || l.machine.scan(s).avx
		}
		for len(f.Code)%align != 0 {
			f.Code = append(f.Code, fill)
		}
		placed[s] = len(f.Code)
		if last := len(f.Parts) - 1; s.code() || f.Parts[last].Name != s.name {
			f.Parts = append(f.Parts, Part{s.title(), len(f.Code)})
		}
		f.Code = append(f.Code, s.data...)
	}
	for len(f.Code)%8 != 0 {
		f.Code = append(f.Code, 0)
	}
	for i, s := range g.starts {
		f.Calls[i].Offset = placed[s]
	}
	for _, s := range sections {
		for _, r := range s.relocs {
			to, value, _ := l.target(r)
			if !l.machine.fields[r.kind].set(f.Code[placed[s]+r.at:], placed[to]+value+r.addend-placed[s]-r.at) {
				l.problem(s.object, s.nameAt(r.at), "is too far from "+to.title())
			}
		}
	}
	return f
}

func (s *section) title() string {
	if s.code() {
		return s.nameAt(0)
	}
	return s.name
}

// target returns where the symbol of a relocation is.
func (l *linker) target(r reloc) (to *section, value int, ok bool) {
	if r.local != nil {
		return r.local, r.value, true
	}
	d, ok := l.globals[r.name]
	return d.section, d.at, ok
}

// reachable returns the sections that those of entries need, functions before constants, and reports what is wrong
// with them.
func (l *linker) reachable(starts []*section) []*section {
	var sections []*section
	for _, s := range starts {
		if !slices.Contains(sections, s) {
			sections = append(sections, s)
		}
	}
	for i := 0; i < len(sections); i++ {
		s := sections[i]
		for _, r := range s.relocs {
			if to := l.check(s, r); to != nil && !slices.Contains(sections, to) {
				sections = append(sections, to)
			}
		}
		if s.code() {
			l.checkCode(s)
		}
	}
	slices.SortStableFunc(sections, func(a, b *section) int {
		switch {
		case a.code() && b.code():
			return 0
		case a.code():
			return -1
		case b.code():
			return 1
		}
		return cmp.Or(cmp.Compare(b.align, a.align), strings.Compare(a.name, b.name))
	})
	return sections
}

// check returns the section that a relocation of s refers to; nil if it cannot be linked, which it reports.
func (l *linker) check(s *section, r reloc) *section {
	user := s.nameAt(r.at)
	if s.code() {
		user = s.function()
	}
	to, value, ok := l.target(r)
	if !ok {
		l.problem(s.object, user, fmt.Sprintf("needs %s, which no object defines", r.name))
		return nil
	}
	name := r.name
	if name == "" {
		name = to.nameAt(max(value+r.addend+l.machine.pastEnd, 0))
	}
	switch field, known := l.machine.fields[r.kind]; {
	case r.tls || to.flags&elf.SHF_TLS != 0:
		l.problem(s.object, user, threadLocal)
	case to.flags&elf.SHF_WRITE != 0:
		l.problem(s.object, user, fmt.Sprintf("uses %s in the section %s, which is writable", name, to.name))
	case !known:
		l.problem(s.object, user, fmt.Sprintf("has the relocation %s to %s, which is not relative to the code", l.machine.name(r.kind), name))
	case field.low && !slices.ContainsFunc(s.relocs, func(other reloc) bool { return l.machine.fields[other.kind].page && other.same(r) }):
		l.problem(s.object, user, fmt.Sprintf("has the relocation %s to %s, and none of its page", l.machine.name(r.kind), name))
	case r.at < 0 || r.at+field.bytes() > len(s.data):
		l.problem(s.object, user, "has a relocation outside of its section")
	case to.align > Align:
		l.problem(s.object, user, fmt.Sprintf("uses %s, which needs alignment to %d bytes, more than %d", name, to.align, Align))
	default:
		return to
	}
	return nil
}
