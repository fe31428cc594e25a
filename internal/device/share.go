package device

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-op2/op2/internal/launch"
)

// Choose returns the device of all with the chosen number; otherwise the best, by rank, of those that the choice
// is a part of a name of, ignoring case. Among equally good ones, each process takes its own. It reports
// whether there is one.
func Choose[T any](all []T, choice string, names func(T) []string, rank func(T) int) (chosen T, ok bool) {
	choice = strings.TrimSpace(choice)
	if n, err := strconv.Atoi(choice); err == nil && n >= 0 && n < len(all) {
		return all[n], true
	}
	isDigit := len(choice) == 1 && choice[0] >= '0' && choice[0] <= '9' // the 2 in H200 does not select by name
	var best []T
	for _, d := range all {
		matches := func(name string) bool { return strings.Contains(strings.ToLower(name), strings.ToLower(choice)) }
		if isDigit || !slices.ContainsFunc(names(d), matches) || len(best) > 0 && rank(d) < rank(best[0]) {
			continue
		}
		if len(best) > 0 && rank(d) > rank(best[0]) {
			best = nil
		}
		best = append(best, d)
	}
	if len(best) == 0 {
		return chosen, false
	}
	return best[Share(len(best))], true
}

// Share returns which of n equal devices this process should use: processes started together on a
// machine take them in turn, and a single process takes the first.
func Share(n int) int {
	if l, is := launch.Detect(); is && l.LocalRank >= 0 {
		return l.LocalRank % n
	}
	return 0
}
