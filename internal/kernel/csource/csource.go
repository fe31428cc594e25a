// Package csource makes the C99 source of one kernel out of the text that programs have: files that
// include others, hold many kernels, and use C++ where OP2's kernels do. It keeps what the kernel
// reaches, so that consts, types and headers of the others may be missing, and writes in C what is
// C++: references, casts like double(x), struct names as types, const integers as bounds, std::max,
// default arguments, namespaces, auto where its type is plain.
// Positions remain those of the files. Whether the result is correct C is decided by package fromc.
package csource

import (
	"io/fs"
	"slices"

	"github.com/go-op2/op2/internal/kernel"
)

// Given is the text that contains a kernel.
type Given struct {
	File, Text string
	Files      fs.FS // where #include finds files; nil if there are none
}

// Source is C99 text of a kernel.
type Source struct {
	Text     string
	Texts    map[string]string // of the files that it comes from
	Missing  []kernel.Problem  // files that are included and not there
	Problems []kernel.Problem  // C++ that is not written in C
	Changed  bool              // something was left out or rewritten

	columns map[kernel.Pos]int
}

// Extract returns the source of the function called name: false if the text does not declare it, or cannot be
// divided into declarations. It preprocesses the text, divides it into declarations, marks those that the
// function reaches, and rewrites them token by token; writing one may reach others. There is no syntax tree
// of C++: decisions are made on the tokens near a place, and constructs that would need more are refused. They take for granted
// what text that is no C++ need not have, such as a semicolon: it is not divided either.
func Extract(name string, given Given, known Known) (s *Source, ok bool) {
	defer func() {
		if recover() != nil {
			s, ok = nil, false
		}
	}()
	p := preprocess(given, known)
	if len(p.problems) > 0 {
		return &Source{Texts: p.texts, Problems: p.problems, Changed: true}, true
	}
	list, scopes, ok := items(p.out)
	if !ok {
		return nil, false
	}
	u := newUnit(name, list, scopes, known)
	if u.function(name) == nil {
		return nil, false
	}
	u.reach(token{text: name})
	for len(u.unwritten) > 0 {
		it := u.unwritten[0]
		u.unwritten = u.unwritten[1:]
		it.written = u.write(it)
	}
	for _, it := range list {
		if it.tokens[0].is("static_assert", "_Static_assert") && u.reached(it.tokens) {
			it.written = u.write(it)
		}
	}
	s = &Source{Texts: p.texts, Missing: p.missing, Problems: u.problems}
	s.Changed = len(scopes) > 0 || len(p.texts) > 1 || len(p.missing) > 0 || p.changed || u.changed || len(u.problems) > 0 || slices.ContainsFunc(list, func(it *item) bool { return !it.reached })
	w := writer{columns: map[kernel.Pos]int{}}
	if u.needs != "" && !slices.Contains(p.headers, u.needs) {
		p.headers = append(p.headers, u.needs)
	}
	for _, h := range p.headers {
		w.text.WriteString("#include <" + h + ">\n")
	}
	for _, it := range list {
		for _, t := range it.written {
			w.token(t)
		}
	}
	w.text.WriteString("\n")
	s.Text, s.columns = w.text.String(), w.columns
	return s, true
}

// Functions returns the functions that a text defines, and where.
func Functions(given Given, known Known) map[string]kernel.Pos {
	found := map[string]kernel.Pos{}
	list, _, _ := items(preprocess(given, known).out)
	for _, it := range list {
		if it.body > 0 && it.open > 0 {
			found[it.names[0]] = it.tokens[it.open-1].pos
		}
	}
	return found
}

func preprocess(given Given, known Known) *preprocessor {
	p := &preprocessor{files: given.Files, known: known, macros: map[string]*macro{}, texts: map[string]string{}, once: map[string]bool{}}
	p.file(given.File, given.Text)
	return p
}

// Origin returns where in the files a position in the text is, as a compiler that follows #line
// reports it.
func (s *Source) Origin(pos kernel.Pos) kernel.Pos {
	for at := pos; at.Col > 0; at.Col-- {
		if col, ok := s.columns[at]; ok {
			pos.Col = col
			return pos
		}
	}
	return pos
}
