package nvrtc

import (
	"regexp"
	"strconv"
	"strings"
)

// Usage holds the resources that a compiled kernel needs; -1 if the log does not report them.
type Usage struct {
	Registers int // 32-bit registers per thread
	Stack     int // bytes per thread
	Spilled   int // bytes stored on the stack because registers ran out
	Shared    int // bytes declared per block
	Const     int // bytes of constant memory: parameters and what precedes them, consts, literals
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

// Usages parses the resources of each kernel from the log of Compile.
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
		if len(banks) == 0 { // not reported for sm_90
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

// Warnings returns the lines of a log that warn about the source. NVRTC has no option that turns
// all warnings into errors; --diag-error=177 does so for one number.
func Warnings(log string) []string {
	var warnings []string
	for _, line := range warningLine.FindAllString(log, -1) {
		if !strings.HasPrefix(line, "nvrtc: warning: Architectures prior to") {
			warnings = append(warnings, line)
		}
	}
	return warnings
}
