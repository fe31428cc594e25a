package csource

import (
	"slices"
	"strings"
)

// builtin emits a call of a function that C++ has for several types, and reports whether t is one.
func (f *rewriter) builtin(t token, args [][]token, standard bool) bool {
	switch {
	case extremes[t.text] != "" && len(args) == 2:
		f.extreme(t, args)
	case t.is("swap") && standard:
		f.unit.problem(t, "use a variable for one of the values", "std::swap has no counterpart in C")
	case t.is("abs") && len(args) == 1:
		name := map[string]string{"int": "abs", "float": "fabsf"}[f.kind(args[0])]
		switch name {
		case "":
			name = "fabs"
		case "abs":
			f.unit.needs = "stdlib.h"
		}
		f.renamed(t, name, args)
	case t.is("static_assert") && len(args) > 0:
		if len(args) == 1 {
			args = append(args, []token{made(`""`, t)})
		}
		f.renamed(t, "_Static_assert", [][]token{f.constants(args[0]), args[1]})
	case !standard:
		return false
	case f.unit.known.Others[t.text] || f.unit.known.Macros[t.text]:
		f.renamed(t, t.text, args)
	case f.unit.known.Math[t.text]:
		name := t.text
		if f.unit.known.Math[name+"f"] && f.floats(args) {
			name += "f"
		}
		f.renamed(t, name, args)
	default:
		f.unit.problem(t, "write it as a function of your own", "std::%s has no counterpart in C", t.text)
	}
	return true
}

// limit emits the value of std::numeric_limits<T>::name(), where numeric_limits is at i.
func (f *rewriter) limit(in []token, i int) int {
	at := i + index(in[i:], "(")
	if at < i+5 || !in[i+1].is("<") || !in[at-2].is("::") {
		f.unit.problem(in[i], "write the value", "std::numeric_limits has no counterpart in C")
		return len(in)
	}
	of, name := strings.TrimPrefix(newParam(in[i+2:at-3]).of, "std "), in[at-1].text
	value := limits[of+" "+name]
	if kind := f.unit.kindOf(of); kind == "double" || kind == "float" {
		value = limits[kind+" "+name]
	} else if value == "" {
		value = integerLimit(of, name)
	}
	if value == "" {
		f.unit.problem(in[i], "write the value", "std::numeric_limits<%s>::%s has no counterpart in C", of, name)
		return closing(in, at) + 1
	}
	f.rewrite(in[i], "(", "(")
	f.specifiers(in[i+2 : at-3])
	f.rewrite(in[i], ")", "(", value, ")", ")")
	return closing(in, at) + 1
}

// limits gives the values of std::numeric_limits of floats.
var limits = map[string]string{
	"double max": "0x1.fffffffffffffp1023", "double lowest": "-0x1.fffffffffffffp1023", "double min": "0x1p-1022", "double epsilon": "0x1p-52",
	"double infinity": "INFINITY", "double quiet_NaN": "NAN", "float infinity": "INFINITY", "float quiet_NaN": "NAN",
	"float max": "0x1.fffffep127f", "float lowest": "-0x1.fffffep127f", "float min": "0x1p-126f", "float epsilon": "0x1p-23f",
}

// integerLimit returns the value of std::numeric_limits<of>::name() for an integer; "" if there is none. A plain
// char has a sign on some machines only.
func integerLimit(of, name string) string {
	unsigned := strings.HasPrefix(of, "u") || of == "size_t"
	most := greatest[strings.NewReplacer("unsigned", "", "signed", "", "int", "", "u", "", "_t", "", " ", "").Replace(of)]
	switch {
	case most == "" || of == "char" || !integer(of):
		return ""
	case name == "max" && unsigned:
		return "-1"
	case name == "max":
		return most
	case name != "min" && name != "lowest":
		return ""
	case unsigned:
		return "0"
	}
	return "-" + most + "-1"
}

// greatest gives the greatest signed integers, by what distinguishes their types.
var greatest = map[string]string{
	"": "2147483647", "char": "127", "short": "32767", "long": "(sizeof(long)<8?2147483647:9223372036854775807)", "longlong": "9223372036854775807",
	"8": "127", "16": "32767", "32": "2147483647", "64": "9223372036854775807", "size": "unsigned",
}

func (f *rewriter) renamed(t token, name string, args [][]token) {
	f.rewrite(t, name, "(")
	f.list(args, func(_ int, a []token) { f.expression(a) })
	f.rewrite(t, ")")
}

// extreme emits max or min as a condition, which takes its operands twice.
func (f *rewriter) extreme(t token, args [][]token) {
	for _, a := range args {
		if at := slices.IndexFunc(a, func(t token) bool { return t.is(assignments...) }); at >= 0 {
			f.unit.problem(a[at], "assign in a statement of its own", "an assignment within %s", t.text)
			return
		}
	}
	f.rewrite(t, "(")
	for _, c := range extremes[t.text] {
		switch c {
		case 'a', 'b':
			f.rewrite(t, "(")
			f.expression(args[c-'a'])
			f.rewrite(t, ")")
		default:
			f.rewrite(t, string(c))
		}
	}
	f.rewrite(t, ")")
}
