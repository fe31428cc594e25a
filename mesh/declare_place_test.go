package mesh_test

import (
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/mesh"
)

// Messages about sets say where the program called Declare.
func TestDeclarePlace(t *testing.T) {
	m, err := mesh.Rectangle(mesh.Triangle, 1, 1, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	rt, err := op2.Open(op2.WithBackend("go"), op2.WithLog(nil))
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	one, other := m.Declare(rt), m.Declare(rt)
	if err := rt.Err(); err != nil {
		t.Fatal(err)
	}
	err = op2.ParLoop(ckernel.New("clear", "void clear(double x[2]) { x[0] = x[1] = 0; }"), one.Nodes, other.X.Write())
	if err == nil || strings.Count(err.Error(), "declared at declare_place_test.go:") != 3 {
		t.Errorf("error %v", err)
	}
}
