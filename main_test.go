package op2_test

import (
	"os"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/mpi/mpitest"
	"github.com/go-op2/op2/internal/optest"
)

func TestMain(m *testing.M) {
	if program := os.Args[len(os.Args)-1]; mpitest.Inside() && !strings.HasPrefix(program, "-") {
		rankProgram(program)
		return
	}
	optest.Main(m)
}
