package jit

import (
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
)

// failureReason summarizes in one line why a compiler failed: err is the error from running it, log
// its output.
func failureReason(c Compiler, log string, err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if signal := killedBy(exit); signal != "" {
			return fmt.Sprintf("%s was ended by a signal: %s", c.Path, signal)
		}
		if line := firstError(log); line != "" {
			return line
		}
		return fmt.Sprintf("%s ended with %v and no message; is it a C compiler?", c.Path, exit)
	}
	return fmt.Sprintf("%s: %v", c.Path, innermost(err))
}

var (
	errorLine = regexp.MustCompile(`\berror:`)
	// summaryLine matches what a driver prints after its linker has reported the actual error.
	summaryLine = regexp.MustCompile(`^collect2: |linker command failed`)
	linkerLine  = regexp.MustCompile(`undefined reference|cannot find|undefined symbol|(^|/)ld(\.[a-z]+)?: `)
)

// firstError returns the line of a compiler's messages that a person would read first.
func firstError(log string) string {
	return FirstLine(log, func(line string) bool { return errorLine.MatchString(line) && !summaryLine.MatchString(line) }, linkerLine.MatchString)
}

// FirstLine returns the first line of a log for which one of these functions returns true: the earlier
// functions count first, and any line last. It is "" for an empty log.
func FirstLine(log string, wanted ...func(line string) bool) string {
	lines := strings.Split(log, "\n")
	for _, is := range append(wanted, func(line string) bool { return line != "" }) {
		for _, line := range lines {
			if line = strings.TrimSpace(line); is(line) {
				return line
			}
		}
	}
	return ""
}

// failureHints are hints for failures that are not the source's fault. The first match counts.
var failureHints = []struct {
	pattern *regexp.Regexp
	hint    string
}{
	{regexp.MustCompile(`(cannot execute|error trying to exec) .?(cc1|as|collect2|ld)\b`),
		"the compiler is installed incompletely; on Debian and Ubuntu: apt install gcc"},
	{regexp.MustCompile(`\b(assert|complex|ctype|errno|float|inttypes|limits|math|stdbool|stddef|stdint|stdio|stdlib|string)\.h.*(No such file|not found)|cannot find (crt1|crti)\.o|cannot find -l[cm]\b`),
		"the headers and files of the C library are missing; on Debian and Ubuntu: apt install libc6-dev"},
	{regexp.MustCompile(`(?i)killed signal terminated program|out of memory|virtual memory exhausted|cannot allocate memory|ended by a signal: killed`),
		"the machine or container may have run out of memory"},
	{regexp.MustCompile(`(?i)no space left on device|disk quota exceeded`),
		"free some disk space, or set TMPDIR to a folder that has some"},
}

// hint returns a hint for e, or "" if the reason says enough.
func (e *CompileError) hint() string {
	for _, flag := range e.userFlags {
		if ends := `($|[^\w-])`; regexp.MustCompile(regexp.QuoteMeta(flag) + ends).MatchString(e.Reason) {
			return fmt.Sprintf("%s is one of the flags that OP2_CFLAGS or op2.WithCFlags gave: %s", flag, strings.Join(e.userFlags, " "))
		}
	}
	return failureHint(e.Reason, e.Log)
}

// failureHint returns a hint, or "" if the reason says enough.
func failureHint(reason, log string) string {
	for _, h := range failureHints {
		if h.pattern.MatchString(reason) || h.pattern.MatchString(log) {
			return h.hint
		}
	}
	return ""
}
