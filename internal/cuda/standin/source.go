package standin

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
)

//go:embed csrc/standin.h
var header string

var (
	comment       = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)
	dynamicShared = regexp.MustCompile(`\bextern\s+__shared__\b`)
	dynamicArray  = regexp.MustCompile(`\bstandin_dynamic_shared\b[^;]*?\b(\w+)\s*\[\s*\]\s*;`)
	entry         = regexp.MustCompile(`\bextern\s+"C"\s+__global__\s+(?:void\s+)?(?:__launch_bounds__\s*(\([^)]*\))\s*)?(?:void\s+)?(\w+)\s*\(`)
)

// Source converts a program to C++: the header, the source with its line numbers unchanged, and
// functions that call its kernels.
func Source(name, text string) string {
	text = dynamicShared.ReplaceAllString(text, "standin_dynamic_shared")
	var b strings.Builder
	b.WriteString(header)
	fmt.Fprintf(&b, "#line 1 %q\n%s\n#line 1 \"entries\"\n", name+".cu", text)

	code := comment.ReplaceAllString(text, " ")
	seen := map[string]bool{}
	for _, m := range dynamicArray.FindAllStringSubmatch(code, -1) {
		if !seen[m[1]] {
			fmt.Fprintf(&b, "OP2_SHARED(%s)\n", m[1])
		}
		seen[m[1]] = true
	}
	for _, m := range entry.FindAllStringSubmatch(code, -1) {
		bounds := m[1]
		if bounds == "" {
			bounds = "(OP2_MAX_GROUP)"
		}
		if !seen[m[2]] {
			fmt.Fprintf(&b, "OP2_ENTRY(%s, %s)\n", m[2], bounds)
		}
		seen[m[2]] = true
	}
	return b.String()
}
