package gpu

import (
	"reflect"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/translate/unit"
	"github.com/go-op2/op2/translated"
)

// building is a device that keeps the last source.
type building struct {
	device.Device
	source *device.Source
}

func (d *building) Build(s device.Source) device.Program {
	d.source = &s
	return refused{}
}

// Programs are looked up in those of their device before they are compiled; what is missed is named in the end, or an
// error on request.
func TestAhead(t *testing.T) {
	text := device.Source{Name: "flux", Text: "text", Flags: []string{"-w"}}
	plain := text
	plain.Flags = nil
	key := unit.ProgramKey("CUDA C++", text.Flags, text.Text)
	ptx := &device.PTX{Text: "ptx", For: "compute_70"}
	withPTX := text
	withPTX.PTX = ptx

	cuda, opencl := Kind{Dialect: codegen.CUDA}, Kind{Dialect: codegen.OpenCLC}
	check := func(what string, k Kind, cpu bool, s device.Source, only bool, built *device.Source, refusal, warning string) {
		t.Helper()
		var warnings []string
		d := &building{}
		e := &engine{kind: k, device: d, info: device.Info{CPU: cpu}, config: backend.Config{OnlyTranslated: only, Warn: func(s string) { warnings = append(warnings, s) }}}
		err := e.compile(s).Wait()
		if refusal == "" && err != nil || refusal != "" && (err == nil || !strings.Contains(err.Error(), refusal)) {
			t.Errorf("%s: %v, want %q", what, err, refusal)
		}
		if !reflect.DeepEqual(d.source, built) {
			t.Errorf("%s: compiled %+v, want %+v", what, d.source, built)
		}
		e.translations.Warn("compiled", &e.config)
		if got := strings.Join(warnings, "\n"); got != warning {
			t.Errorf("%s: %q, want %q", what, got, warning)
		}
	}
	check("no package", cuda, false, text, false, &text, "", "")
	check("no package, demanded", cuda, false, text, true, nil, "the program contains no translated code for cuda", "")
	if cuda.hasPTX() || len(cuda.translated()) > 0 {
		t.Error("there is PTX in no package")
	}

	translated.RegisterPrograms("test/op2gen",
		translated.Program{Name: "flux", Device: "cuda", Key: key, PTX: ptx.Text, Level: ptx.For},
		translated.Program{Name: "flux", Device: "opencl-cpu", Key: unit.ProgramKey("OpenCL C", text.Flags, text.Text)})
	const missed = "1 of 1 loops are not translated as they are now, and were compiled: flux; run go generate"
	check("PTX", cuda, false, text, true, &withPTX, "", "")
	check("outdated", cuda, false, plain, false, &plain, "", missed)
	check("outdated, demanded", cuda, false, plain, true, nil, "flux is not translated as it is now, in test/op2gen", "")
	check("text", opencl, true, text, true, &text, "", "")
	check("text for processors, on a GPU", opencl, false, text, true, nil, "the program contains no translated code for opencl", "")
	if !cuda.hasPTX() || opencl.hasPTX() {
		t.Error("there is PTX for cuda alone")
	}
	for want, k := range map[string]Kind{"test/op2gen: 1 loops, PTX for compute_70": cuda, "test/op2gen: 1 loops, OpenCL C for processors": opencl} {
		if got := k.translated(); len(got) != 1 || got[0].Detail != want {
			t.Errorf("%+v, want %q", got, want)
		}
	}
}
