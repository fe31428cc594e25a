package device

import "github.com/go-op2/op2/internal/launch"

// Share returns which of n equal devices this process should use: processes started together on a
// machine take them in turn, and a single process takes the first.
func Share(n int) int {
	if l, is := launch.Detect(); is && l.LocalRank >= 0 {
		return l.LocalRank % n
	}
	return 0
}
