package mesh

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// listed lists numbers: "3, 7, 9".
func listed(numbers []int32) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers), " ", ", "), "[]")
}

// quoted lists names: "left", "right".
func quoted(names []string) string {
	sort.Strings(names)
	text := ""
	for i, n := range slices.Compact(names) {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%q", n)
	}
	return text
}
