package link

import (
	"debug/elf"
	"slices"
	"strings"
)

const threadLocal = "uses thread-local storage"

// A function is a node of the graph of calls.
type function struct {
	object *Object
	name   string
}

func functionOf(s *section) function { return function{s.object, s.function()} }

// checkCode enters the calls of a function into the graph, and reports problems that only its
// instructions show.
func (l *linker) checkCode(s *section) {
	starts := map[int]bool{}
	for _, y := range s.symbols {
		if y.kind == elf.STT_FUNC {
			starts[y.at] = true
		}
	}
	if len(starts) > 1 {
		l.problem(s.object, s.function(), "is not alone in its section: compile with -ffunction-sections")
	}
	from, facts := functionOf(s), l.machine.scan(s)
	for _, to := range l.referred(s) {
		l.call(from, functionOf(to))
	}
	if facts.callsItself {
		l.calls[from] = append(l.calls[from], from)
	}
	switch {
	case facts.unknown != "":
		l.problem(s.object, s.function(), facts.unknown)
	case facts.tls:
		l.problem(s.object, s.function(), threadLocal)
	case (facts.indirectCall || facts.indirectJump && !l.hasTable(s)) && !l.options.IndirectCalls:
		l.problem(s.object, s.function(), "calls a function whose address is computed")
	}
}

// call enters a call, except for jumps from one part of a function to another.
func (l *linker) call(from, to function) {
	if from != to && !slices.Contains(l.calls[from], to) {
		l.calls[from] = append(l.calls[from], to)
	}
}

// referred returns the functions that s refers to, also through constants: each may be called.
func (l *linker) referred(s *section) []*section {
	var functions []*section
	seen := []*section{s}
	for i := 0; i < len(seen); i++ {
		for _, r := range seen[i].relocs {
			switch to, _, ok := l.target(r); {
			case !ok || slices.Contains(seen, to):
			case to.code():
				functions = append(functions, to)
			default:
				seen = append(seen, to)
			}
		}
	}
	return functions
}

// hasTable reports whether s has constants that may be a table of jumps.
func (l *linker) hasTable(s *section) bool {
	for _, r := range s.relocs {
		if to, _, ok := l.target(r); ok && !to.code() && (!l.machine.tablesRefer || slices.ContainsFunc(to.relocs, func(r reloc) bool { return r.local == s })) {
			return true
		}
	}
	return false
}

// slack is the stack that a compiler's account of a function may leave out: a return address, and the alignment
// of the frame to a vector.
const slack = 72

// worst returns how many bytes of stack f needs at most, if the functions on path wait for it.
func (l *linker) worst(f function, path []function) int {
	if i := slices.Index(path, f); i >= 0 {
		var names []string
		for _, p := range append(path[i:], f) {
			names = append(names, p.name)
		}
		l.problem(f.object, f.name, "is recursive: "+strings.Join(names, " → "))
		return 0
	}
	if bytes, ok := l.stack[f]; ok {
		return bytes
	}
	use, ok := f.object.use(f.name)
	switch {
	case !ok:
		l.problem(f.object, f.name, "needs stack, and no -fstack-usage says how much")
	case use.Dynamic:
		l.problem(f.object, f.name, "needs stack by an amount known only at run time")
	}
	deepest := 0
	for _, to := range l.calls[f] {
		deepest = max(deepest, l.worst(to, append(slices.Clone(path), f)))
	}
	l.stack[f] = use.Bytes + slack + deepest
	return l.stack[f]
}
