package solver_test

import (
	"testing"

	"github.com/go-op2/op2/internal/optest"
)

func TestMain(m *testing.M) { optest.Main(m) }
