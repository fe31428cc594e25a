package nvrtc

import (
	"regexp"
	"strconv"
	"strings"
)

// Usage is what a compiled kernel needs; -1 where the log does not tell.
type Usage struct {
	Registers int // of 32 bits, for each thread
	Stack     int // bytes for each thread
	Spilled   int // bytes of it that are stored for want of registers
	Shared    int // bytes declared, for each block
	Const     int // bytes of constant memory: parameters and what is before them, consts, literals
}

var (
	entryLine = regexp.MustCompile(`(?m)^ptxas info\s*: Compiling entry function '([^']*)'`)
	number    = map[string]*regexp.Regexp{
		"registers": regexp.MustCompile(`Used (\d+) registers`),
		"stack":     regexp.MustCompile(`(\d+) bytes stack frame`),
		"spilled":   regexp.MustCompile(`(\d+) bytes spill stores`),
		"shared":    regexp.MustCompile(`(\d+) bytes smem`),
	}
	constBytes = regexp.MustCompile(`(\d+) bytes cmem\[`)
)

// Usages reads what each kernel needs from the log of Compile.
func Usages(log string) map[string]Usage {
	usages := map[string]Usage{}
	entries := entryLine.FindAllStringSubmatchIndex(log, -1)
	for i, e := range entries {
		end := len(log)
		if i+1 < len(entries) {
			end = entries[i+1][0]
		}
		part := log[e[1]:end]
		find := func(name string, missing int) int {
			m := number[name].FindStringSubmatch(part)
			if m == nil {
				return missing
			}
			n, _ := strconv.Atoi(m[1])
			return n
		}
		u := Usage{Registers: find("registers", -1), Stack: find("stack", -1), Spilled: find("spilled", -1), Shared: find("shared", 0)}
		banks := constBytes.FindAllStringSubmatch(part, -1)
		if len(banks) == 0 { // for sm_90 nothing is said of it
			u.Const = -1
		}
		for _, m := range banks {
			n, _ := strconv.Atoi(m[1])
			u.Const += n
		}
		usages[log[e[2]:e[3]]] = u
	}
	return usages
}

var warningLine = regexp.MustCompile(`(?m)^.*\bwarning( #\S+)?: .*$`)

// Warnings are the lines of a log that warn of something in the text. NVRTC has no option
// that makes errors of them all; --diag-error=177 does so for those of one number.
func Warnings(log string) []string {
	var warnings []string
	for _, line := range warningLine.FindAllString(log, -1) {
		if !strings.HasPrefix(line, "nvrtc: warning: Architectures prior to") {
			warnings = append(warnings, line)
		}
	}
	return warnings
}
