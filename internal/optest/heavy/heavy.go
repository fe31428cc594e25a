// Package heavy selects tests that take minutes. OP2_HEAVY=1 requests all of them, OP2_HEAVY=3/8 the third
// of eight shares: eight runs have it all.
package heavy

import (
	"fmt"
	"hash/fnv"
	"os"
	"testing"
)

const variable = "OP2_HEAVY"

// On reports whether tests that take minutes are requested.
func On() bool { return os.Getenv(variable) != "" }

// Test skips a test, unless tests that take minutes are requested and it is in the share that runs.
func Test(t testing.TB) {
	t.Helper()
	Tests(t)
	Share(t)
}

// Tests skips the subtests of a test, each of which calls Share, unless tests that take minutes are requested.
func Tests(t testing.TB) {
	t.Helper()
	if !On() {
		t.Skip("set " + variable + "=1, or run make heavy")
	}
}

// Share skips a test that is in another share.
func Share(t testing.TB) {
	t.Helper()
	if !InShare(t.Name()) {
		t.Skip("in another share than " + variable + "=" + os.Getenv(variable))
	}
}

// InShare reports whether a share has what is named so: a test, a part of a suite. Without shares, all is in.
func InShare(name string) bool {
	var k, n uint32
	if _, err := fmt.Sscanf(os.Getenv(variable), "%d/%d", &k, &n); err != nil || n == 0 {
		return true
	}
	h := fnv.New32a()
	h.Write([]byte(name))
	return h.Sum32()%n == k%n
}
