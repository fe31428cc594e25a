package csource

// foreign refuses a construct of C++.
func (f *rewriter) foreign(t token) {
	hint := foreigners[t.text]
	if hint == "" {
		return
	}
	f.unit.problem(t, hint, "%s has no counterpart in C", t.text)
}

// foreigners are words of C++, and what to write instead.
var foreigners = map[string]string{
	"using":        "write the type's name",
	"new":          "use an array of constant length",
	"delete":       "use an array of constant length",
	"try":          "count failures in a global that is passed with Inc",
	"throw":        "count failures in a global that is passed with Inc",
	"template":     "write a function for each type that is used",
	"dynamic_cast": "use plain structs and functions",
	"this":         "pass a pointer to a function",
	"typeid":       "use plain structs and functions",
	"decltype":     "write the type",
	"operator":     "write a function with a name",
	"cout":         "print with printf, of stdio.h",
	"cerr":         "print with printf, of stdio.h",
	"endl":         "print with printf, of stdio.h",
}
