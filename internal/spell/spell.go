// Package spell finds the name that was probably meant.
package spell

import (
	"fmt"
	"strings"
)

// DidYouMean returns ` (did you mean "x"?)` with the candidate nearest to name, or "" if none is
// near.
func DidYouMean(name string, candidates []string) string {
	if best := Nearest(name, candidates); best != "" {
		return ` (did you mean "` + best + `"?)`
	}
	return ""
}

// Question returns "did you mean x?" with the candidate nearest to name, or "" if none is near.
func Question(name string, candidates []string) string {
	if best := Nearest(name, candidates); best != "" {
		return "did you mean " + best + "?"
	}
	return ""
}

// Expected returns the error for a name that is none of those known: "expected on or off".
func Expected(name string, known []string) error {
	last := len(known) - 1
	return fmt.Errorf("expected %s or %s%s", strings.Join(known[:last], ", "), known[last], DidYouMean(name, known))
}

// Nearest returns the candidate with the smallest edit distance to it, ignoring
// case, if that is at most a third of its length (1 for short names); otherwise "". Ties go to the
// first.
func Nearest(name string, candidates []string) string {
	best, least := "", max(1, len(name)/3)+1
	lower := strings.ToLower(name)
	for _, c := range candidates {
		if d := distance(lower, strings.ToLower(c)); d < least && d < min(len(c), len(name)) {
			best, least = c, d
		}
	}
	return best
}

// distance returns the number of bytes to insert, delete, replace or swap with their neighbor to
// turn a into b (optimal string alignment).
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(a)][len(b)]
}
