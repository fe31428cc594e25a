package gputest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/gofunc"
	"github.com/go-op2/op2/internal/backend/gpu"
	"github.com/go-op2/op2/internal/backend/registry/registrytest"
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/loop"
)

// CheckTexts runs a program on the backend go, and checks with NVRTC, as CheckNVRTC does, the CUDA
// C++ of its loops, for every strategy and both layouts. The program must open its runtime without
// naming a backend.
//
// If OP2_TEXTS names a folder, the sources are not checked but written there, to a file of the
// program's name with the elements of a []gpu.Text, in the order of its loops, with the GPU's
// layout.
func CheckTexts(t *testing.T, program string, run func()) {
	t.Helper()
	dir := os.Getenv("OP2_TEXTS")
	layouts := []bool{true, false}
	if dir != "" {
		layouts = layouts[:1]
	}
	var texts []gpu.Text
	const name = "texts"
	registrytest.Add(backend.Driver{Name: name, Summary: "go, and what loops compile to in CUDA C++", Probe: gofunc.Driver.Probe,
		Open: func(c backend.Config) (backend.Backend, error) {
			b, err := gofunc.Driver.Open(c)
			return &texter{b, layouts, &texts}, err
		}})
	defer registrytest.Remove(name)
	t.Setenv("OP2_BACKEND", name)
	run()
	if len(texts) == 0 {
		t.Fatalf("%s: no loop has been prepared", program)
	}
	if dir != "" {
		list, err := json.Marshal(texts)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, program+".json"), list, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	var sources []device.Source
	for _, text := range texts {
		sources = append(sources, text.Source)
	}
	check(t, sources)
}

// texter is the backend go, which also collects sources.
type texter struct {
	backend.Backend
	layouts []bool // whether dats are stored component by component
	texts   *[]gpu.Text
}

// Prepare collects the sources of a loop, each once.
func (x *texter) Prepare(s backend.Spec, m backend.Memory) (backend.Runner, error) {
	for _, soa := range x.layouts {
		onDevice := s
		onDevice.Loop = laidOut(s.Loop, soa)
		texts, err := gpu.Kind{Dialect: codegen.CUDA}.Texts(onDevice, m.Consts)
		if err != nil {
			return nil, err
		}
		for _, text := range texts {
			if !slices.ContainsFunc(*x.texts, func(before gpu.Text) bool { return before.Source.Text == text.Source.Text }) {
				*x.texts = append(*x.texts, text)
			}
		}
	}
	return x.Backend.Prepare(s, m)
}

// laidOut returns the loop with its dats stored component by component, or element by element.
func laidOut(l *loop.Loop, soa bool) *loop.Loop {
	other := *l
	other.Data = slices.Clone(l.Data)
	for i := range other.Data {
		d := &other.Data[i]
		d.SoA = soa && d.Kind == loop.Dat && d.Dim >= 2
	}
	return &other
}
