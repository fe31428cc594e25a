package jit

import (
	"fmt"
	"regexp"
	"strings"
)

// A CompileError reports why a unit could not be compiled. Error gives the first reason; the format
// %+v gives everything.
type CompileError struct {
	Name     string   // of the unit
	Reason   string   // one line: the compiler's first error, or what happened to the compiler
	Compiler Compiler // what was run
	Flags    []string // its arguments
	Source   string   // its input
	Log      string   // its output, at most 1 MiB

	err       error    // from running the compiler
	noRoom    bool     // it may succeed in another folder
	userFlags []string // the flags that the user added
}

// Error returns the reason, and hints.
func (e *CompileError) Error() string {
	text := e.headline()
	if hint := e.hint(); hint != "" {
		text += "\n  hint: " + hint
	}
	return text + "\n  hint: formatted with %+v this error shows the command, the compiler's messages and the source"
}

func (e *CompileError) headline() string { return "compiling " + e.Name + ": " + e.Reason }

func (e *CompileError) Unwrap() error { return e.err }

// Format implements fmt.Formatter.
func (e *CompileError) Format(s fmt.State, verb rune) {
	switch {
	case verb == 'v' && s.Flag('+'):
		_, _ = fmt.Fprint(s, e.full())
	case verb == 'v' || verb == 's':
		_, _ = fmt.Fprint(s, e.Error())
	case verb == 'q':
		_, _ = fmt.Fprintf(s, "%q", e.Error())
	default:
		_, _ = fmt.Fprintf(s, "%%!%c(*jit.CompileError=%s)", verb, e.headline())
	}
}

// full formats everything: the reason, the compiler, the command, its messages and the source with
// line numbers.
func (e *CompileError) full() string {
	var b strings.Builder
	fmt.Fprintln(&b, e.headline())
	if hint := e.hint(); hint != "" {
		fmt.Fprintln(&b, "  hint: "+hint)
	}
	version := e.Compiler.Version
	if version == "" {
		version = "unknown version"
	}
	fmt.Fprintf(&b, "compiler: %s (%s)\n", e.Compiler.Path, version)
	fmt.Fprintf(&b, "command: %s\n", quoteCommand(append(append([]string{e.Compiler.Path}, e.Compiler.Args...), e.Flags...)))
	fmt.Fprintln(&b, "messages:")
	writeIndented(&b, e.Log, "(none)")
	fmt.Fprintln(&b, "source:")
	lines := strings.Split(strings.TrimSuffix(e.Source, "\n"), "\n")
	width := len(fmt.Sprint(len(lines)))
	for i, line := range lines {
		fmt.Fprintf(&b, "  %*d | %s\n", width, i+1, line)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func writeIndented(b *strings.Builder, text, ifEmpty string) {
	text = strings.TrimRight(text, "\n")
	if text == "" {
		text = ifEmpty
	}
	for line := range strings.SplitSeq(text, "\n") {
		fmt.Fprintln(b, strings.TrimRight("  "+line, " "))
	}
}

var plainArgument = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

func quoteCommand(args []string) string {
	quoted := make([]string, len(args))
	for i, arg := range args {
		quoted[i] = arg
		if !plainArgument.MatchString(arg) {
			quoted[i] = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}
