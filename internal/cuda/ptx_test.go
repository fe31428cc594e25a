package cuda

import (
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/native"
)

// PTX that the driver takes needs no compiler. What it rejects, what is for other devices and what comes without is
// compiled, from the cache the next time, or an error that says what to do.
func TestPTX(t *testing.T) {
	const none = "loop: it must be compiled: Fake H100 was found, but no compiler for it: no NVRTC"
	for _, test := range []struct {
		name     string
		ptx      *device.PTX
		compiler bool
		code     string // how the program is loaded: translated, found or compiled
		err      string
	}{
		{"taken", &device.PTX{Text: "ptx", For: "compute_70"}, false, "compute_70", ""},
		{"taken, with a compiler", &device.PTX{Text: "ptx", For: "compute_90"}, true, "compute_90", ""},
		{"for a later device", &device.PTX{Text: "ptx", For: "compute_100"}, true, "compiled", ""},
		{"for a later device, no compiler", &device.PTX{Text: "ptx", For: "compute_100"}, false, "", none},
		{"rejected", &device.PTX{Text: "damaged", For: "compute_70"}, true, "compiled", ""},
		{"rejected, no compiler", &device.PTX{Text: "damaged", For: "compute_70"}, false, "",
			"loop: the driver, of CUDA 12.4, does not take the translated code: cuModuleLoadData: CUDA_ERROR_INVALID_IMAGE; and " + none},
		{"none", nil, true, "compiled", ""},
		{"none, no compiler", nil, false, "", none},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newFake(t)
			if !test.compiler {
				f.system.compiler = func(int) (compiler, error) { return nil, &native.NotFoundError{What: "no NVRTC"} }
			}
			cache := &store{kept: map[string][]byte{}}
			for _, again := range []bool{false, true} {
				d := f.open(device.Config{WithPTX: true, Cache: cache})
				p := d.Build(device.Source{Name: "loop", Text: "text", PTX: test.ptx})
				_, err := p.Kernel("fill")
				if test.err != "" {
					if err == nil || !strings.HasPrefix(err.Error(), test.err) {
						t.Errorf("got  %v\nwant %s", err, test.err)
					}
				} else {
					check(t, err)
					want := test.code
					if want == "compiled" && again {
						want = "found"
					}
					if got := codeOf(p); got != want {
						t.Errorf("the code is %s, want %s", got, want)
					}
				}
				p.Release()
				check(t, d.Close())
			}
			f.empty()
		})
	}
}

func codeOf(p device.Program) string {
	switch {
	case p.Translated() != "":
		return p.Translated()
	case p.Found():
		return "found"
	}
	return "compiled"
}
