package csource

import (
	"maps"
	"slices"
	"strings"
)

// around lists a namespace and those around it, the innermost first and the global one last.
func around(scope string) (list []string) {
	for ; scope != ""; scope = scope[:max(strings.LastIndex(scope, "::"), 0)] {
		list = append(list, scope)
	}
	return append(list, "")
}

// nameMembers gives the members of namespaces names of their own, but not the kernel and registered consts.
func (u *unit) nameMembers(list []*item, kernel string) {
	taken := map[string]bool{}
	for _, it := range list {
		for _, t := range it.tokens {
			taken[t.text] = true
		}
	}
	for _, it := range list {
		for _, t := range it.members() {
			if _, registered := u.consts[t.text]; it.scope == "" || registered || t.text == kernel {
				continue
			}
			if u.members[it.scope] == nil {
				u.members[it.scope] = view{}
			}
			name := u.members[it.scope][t.text]
			if name == "" {
				name = strings.ReplaceAll(it.scope, "::", "_") + "_" + t.text
				for taken[name] {
					name += "_"
				}
				u.members[it.scope][t.text], u.owners[name] = name, it.scope
			}
			t.text = name
		}
	}
	if len(u.members) == 0 {
		return
	}
	for _, it := range list {
		*it = item{tokens: u.qualified(it), scope: it.scope}
		_, it.body = extent(it.tokens)
		it.declare()
		if it.open > 0 && u.owners[it.names[0]] != "" { // defined outside of its namespace
			it.scope = u.owners[it.names[0]]
		}
	}
}

// members returns the names of the function or the variables that an item declares.
func (it *item) members() (names []*token) {
	switch {
	case it.open > 0:
		return []*token{&it.tokens[it.open-1]}
	case len(it.names) == 0 || it.tokens[0].is("typedef", "using", "template"):
		return nil
	}
	head := it.tokens[:index(it.tokens, "=", "{", ";")]
	if has(head, "enum", "struct", "union", "class") {
		return nil
	}
	for _, d := range split(it.tokens[:len(it.tokens)-1], ",") {
		if at := declared(d); at >= 0 {
			names = append(names, &d[at])
		}
	}
	return names
}

// qualified returns the tokens of an item with printed names in place of gas::f.
func (u *unit) qualified(it *item) (out []token) {
	in := it.tokens
	for i := 0; i < len(in); i++ {
		end := i + 1
		for in[i].kind == word && end+1 < len(in) && in[end].is("::") && in[end+1].kind == word {
			end += 2
		}
		if name := u.member(it.scope, words(in[i:end-1]), in[end-1].text); end > i+1 && name != "" {
			t := in[i]
			t.text = name
			if len(out) > 0 && out[len(out)-1].is("::") { // ::gas::f
				out = out[:len(out)-1]
			}
			out, i = append(out, t), end-1
			continue
		}
		out = append(out, in[i:end]...)
		i = end - 1
	}
	return out
}

// member returns the printed name for a name of the namespace at path, as seen from scope; "" if there is none.
func (u *unit) member(scope, path, name string) string {
	return u.members[u.space(scope, path)][name]
}

// space returns the namespace at path, as seen from scope; "" if it has no members.
func (u *unit) space(scope, path string) string {
	named := strings.Split(path, "::")
	named = slices.DeleteFunc(named, func(part string) bool { return u.inline[part] })
	for _, outer := range around(scope) {
		if found := within(outer, strings.Join(named, "::")); u.members[found] != nil {
			return found
		}
	}
	return ""
}

// view returns the view of the items in a namespace.
func (u *unit) view(scope string) view {
	if v, ok := u.views[scope]; ok {
		return v
	}
	v, inner := view{}, around(scope)
	for _, it := range u.usings {
		if slices.Contains(inner, it.scope) {
			u.use(v, it.scope, it.tokens)
		}
	}
	slices.Reverse(inner)
	for _, s := range inner {
		maps.Copy(v, u.members[s])
	}
	u.views[scope] = v
	return v
}

// use adds to v the names that using gas::f, or using namespace gas, makes visible.
func (u *unit) use(v view, scope string, in []token) {
	in = slices.DeleteFunc(slices.Clone(in), func(t token) bool { return t.kind != word })
	if len(in) > 1 && !in[1].is("namespace") {
		if len(in) == 2 { // already printed as gas_f
			for plain, name := range u.members[u.owners[in[1].text]] {
				if name == in[1].text {
					v[plain] = name
				}
			}
		}
		return
	}
	if len(in) < 3 {
		return
	}
	for plain, name := range u.members[u.space(scope, words(in[2:]))] {
		if old, ok := v[plain]; ok && old != name || u.known.Math[plain] || u.known.Others[plain] || len(u.items[plain]) > 0 {
			name = ""
		}
		v[plain] = name
	}
}

// see returns tokens with printed names for those of namespaces that a view has, except for local ones.
func (u *unit) see(v view, in []token, local func(name string) bool) []token {
	out := in
	for i, t := range in {
		name, ok := v[t.text]
		switch {
		case !ok || t.kind != word || i > 0 && in[i-1].is(".", "->", "::") || local(t.text):
			continue
		case name == "":
			u.problem(t, "write its namespace, too, as "+u.first(t.text)+"::"+t.text, "%s is in several namespaces", t.text)
			continue
		}
		if &out[0] == &in[0] {
			out = slices.Clone(in)
		}
		out[i].text = name
	}
	return out
}

// first returns the first of the namespaces with a member of that name.
func (u *unit) first(name string) string {
	for _, space := range slices.Sorted(maps.Keys(u.members)) {
		if _, ok := u.members[space][name]; ok {
			return space
		}
	}
	return ""
}

func noLocals(string) bool { return false }
