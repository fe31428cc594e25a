package translate

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"slices"

	"github.com/go-op2/op2/internal/cuda"
	"github.com/go-op2/op2/internal/cuda/nvrtc"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/parallel"
)

// Devices are the targets whose programs are for devices.
var Devices = []string{"cuda", "opencl", "opencl-cpu"}

// deviceFolder has a folder for each kind of device.
const (
	deviceFolder = "device/"
	ofPTX        = ".ptx"
)

// programs adds the PTX of programs for cuda, and the Go that registers all. It returns the compute capability of the
// PTX; "" if there is none.
func (in *Input) programs(all []piece, files map[string][]byte) (capability string, err error) {
	if len(all) == 0 {
		return "", nil
	}
	ptx := make([]string, len(all))
	if in.NVRTC != nil && slices.ContainsFunc(all, func(p piece) bool { return p.Device == "cuda" }) {
		if capability, err = in.NVRTC.Base(); err != nil {
			return "", err
		}
		if err := parallel.Each(len(all), func(i int) (err error) {
			if all[i].Device == "cuda" {
				ptx[i], err = compilePTX(in.NVRTC, all[i], capability)
			}
			return err
		}); err != nil {
			return "", err
		}
	}
	var variables, programs bytes.Buffer
	for i, s := range all {
		fmt.Fprintf(&programs, "translated.Program{Name: %q, Device: %q, Key: %q", s.Name, s.Device, s.Key)
		if ptx[i] != "" {
			path, variable := deviceFolder+s.Device+"/"+s.name+ofPTX, s.name+"_ptx"
			files[path] = []byte(Mark + "\n// key " + s.Key + "\n" + ptx[i])
			fmt.Fprintf(&variables, "//go:embed %s\nvar %s string\n\n", path, variable)
			fmt.Fprintf(&programs, ", Level: %q, PTX: %s", capability, variable)
		}
		programs.WriteString("},\n")
	}
	embed := ""
	if capability != "" {
		embed = "_ \"embed\"\n\n"
	}
	text, err := format.Source(fmt.Appendf(nil, "%s\n\n//go:build !op2_static\n\npackage %s\n\nimport (\n%s\"github.com/go-op2/op2/translated\"\n)\n\n%sfunc init() {\ntranslated.RegisterPrograms(%q,\n%s)\n}\n",
		Mark, in.Name, embed, variables.Bytes(), in.Path, programs.Bytes()))
	files["register_devices.go"] = text
	return capability, err
}

// compilePTX compiles a program for a compute capability.
func compilePTX(c *nvrtc.Compiler, p piece, capability string) (string, error) {
	ptx, log, err := c.PTX(p.name+".cu", p.Text, capability, cuda.Flags(device.Source{Flags: p.Flags}))
	var refused *nvrtc.Error
	if errors.As(err, &refused) && log != "" {
		return "", fmt.Errorf("%s: NVRTC %s: %s", p.name, c.Version(), nvrtc.FirstError(log))
	}
	return ptx, err
}
