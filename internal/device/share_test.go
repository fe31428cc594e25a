package device

import (
	"testing"

	"github.com/go-op2/op2/internal/launch"
)

func TestShare(t *testing.T) {
	for _, name := range launch.Variables() {
		t.Setenv(name, "")
	}
	for _, test := range []struct {
		rank    string
		n, want int
	}{
		{"", 4, 0},
		{"3", 4, 3},
		{"5", 4, 1},
		{"1", 1, 0},
		{"-1", 2, 0},
	} {
		t.Run(test.rank, func(t *testing.T) {
			t.Setenv("OMPI_COMM_WORLD_SIZE", "8")
			t.Setenv("OMPI_COMM_WORLD_LOCAL_RANK", test.rank)
			if got := Share(test.n); got != test.want {
				t.Errorf("%d of %d, want %d", got, test.n, test.want)
			}
		})
	}
}
