package heavy

import (
	"fmt"
	"testing"
)

// Each name is in exactly one share.
func TestInShare(t *testing.T) {
	for part := range 44 {
		name, shares := fmt.Sprint("TestConfiguration/opencl/staged-soa/", part), 0
		for k := range 8 {
			t.Setenv(variable, fmt.Sprintf("%d/8", k+1))
			if InShare(name) {
				shares++
			}
		}
		if shares != 1 {
			t.Errorf("%s is in %d shares", name, shares)
		}
		for _, all := range []string{"", "1"} {
			if t.Setenv(variable, all); !InShare(name) {
				t.Errorf("%s is not in with %q", name, all)
			}
		}
	}
}
