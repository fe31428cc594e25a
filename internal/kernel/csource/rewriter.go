package csource

import "slices"

// rewriter writes a function, or a declaration, in C.
type rewriter struct {
	unit   *unit
	out    []token
	scopes []map[string]local
	views  []view // those of the scopes
	global bool
	space  string // the namespace around it

	expanding []string // consts that are being replaced by their values
	result    string   // the words for the type that a function returns
}

// local is a variable of a function.
type local struct {
	of        string // the words for the type that it is made of
	reference bool
	isType    bool
	value     []token // of a const integer
}

func (f *rewriter) enter() {
	f.scopes = append(f.scopes, map[string]local{})
	f.views = append(f.views, f.views[len(f.views)-1])
}

func (f *rewriter) leave() {
	f.scopes, f.views = f.scopes[:len(f.scopes)-1], f.views[:len(f.views)-1]
}

func (f *rewriter) declare(name string, l local) { f.scopes[len(f.scopes)-1][name] = l }

func (f *rewriter) lookup(name string) (local, bool) {
	for i := len(f.scopes) - 1; i >= 0; i-- {
		if l, ok := f.scopes[i][name]; ok {
			return l, true
		}
	}
	return local{}, false
}

func (f *rewriter) emit(t ...token) { f.out = append(f.out, t...) }

// rewrite emits texts in place of a token.
func (f *rewriter) rewrite(at token, texts ...string) {
	f.unit.changed = true
	for i, text := range texts {
		t := made(text, at)
		if isLetter(text[0]) {
			t.kind = word
		}
		t.space = i == 0 && at.space
		f.emit(t)
	}
}

// comma emits one after what stands before it.
func (f *rewriter) comma(before []token) {
	if len(before) > 0 {
		f.emit(made(",", before[len(before)-1]))
	}
}

// list emits parts, each by a function, with commas between them.
func (f *rewriter) list(parts [][]token, emit func(n int, part []token)) {
	for n, part := range parts {
		if n > 0 {
			f.comma(parts[n-1])
		}
		emit(n, part)
	}
}

// name emits a name; for a reference, the pointee of its pointer.
func (f *rewriter) name(t token) {
	l, ok := f.lookup(t.text)
	switch {
	case ok && l.reference:
		f.rewrite(t, "(", "*", t.text, ")")
		return
	case !ok:
		f.unit.reach(t)
	}
	f.emit(t)
}

func (f *rewriter) isStruct(name string) bool {
	return slices.ContainsFunc(f.unit.items[name], func(it *item) bool {
		return it.open == 0 && has(it.tokens, "struct", "union", "class")
	})
}

// seen returns tokens with printed names for those of namespaces.
func (f *rewriter) seen(in []token) []token {
	return f.unit.see(f.views[len(f.views)-1], in, func(name string) bool {
		_, local := f.lookup(name)
		return local
	})
}

// checkMember refuses gas::f at i if nothing is called f.
func (f *rewriter) checkMember(in []token, i int) {
	if i+2 >= len(in) || f.unit.scopes[in[i+2].text] {
		return
	}
	name := in[i+2]
	if _, registered := f.unit.consts[name.text]; !registered && !f.unit.isType(name.text) && len(f.unit.items[name.text]) == 0 {
		f.unit.problem(name, "write std:: for functions of the library", "%s has no member %s", in[i].text, name.text)
	}
}
