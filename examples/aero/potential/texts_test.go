package potential

import (
	"os"
	"testing"

	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
)

func TestTexts(t *testing.T) {
	gputest.CheckTexts(t, "aero", func() {
		m := optest.Must(optest.Must(mesh.NACA0012(12, 18)).Joined())
		for _, method := range []Method{MatrixFree, Assembled} {
			converge(t, os.Getenv("OP2_BACKEND"), m, method, 1)
		}
	})
}
