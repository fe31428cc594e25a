package callsite

import "testing"

func TestVerb(t *testing.T) {
	for function, want := range map[string]string{
		"github.com/go-op2/op2.(*Dat[...]).Gather":                 "Dat.Gather",
		"github.com/go-op2/op2.(*Dat[go.shape.float64]).Norm":      "Dat.Norm",
		"github.com/go-op2/op2.ParLoop":                            "ParLoop",
		"github.com/go-op2/op2.NewMap[...]":                        "NewMap",
		"github.com/go-op2/op2.(*Runtime).Close.deferwrap1.func1":  "Runtime.Close",
		"github.com/go-op2/op2/vtk.(*Series).Write":                "vtk.Series.Write",
		"github.com/go-op2/op2/mesh.(*Mesh).Declare.func2.1":       "mesh.Mesh.Declare",
		"github.com/go-op2/op2.(*Dat[github.com/x/y.T]).InnerDone": "Dat.InnerDone",
	} {
		if got := verb(function); got != want {
			t.Errorf("%s is %s, want %s", function, got, want)
		}
	}
}
