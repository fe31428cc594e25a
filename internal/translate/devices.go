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
	"github.com/go-op2/op2/internal/translate/unit"
)

// Devices are the targets whose programs are for devices.
var Devices = []string{"cuda", "opencl", "opencl-cpu"}

// deviceFolder has a folder for each kind of device.
const (
	deviceFolder = "device/"
	ofPTX        = ".ptx"
)

// source is a program with the name that it has in the package.
type source struct {
	*unit.Program
	name string
}

// sources gives each program a name: the kernel's, and a number if there are several of that name for the device.
func (in *Input) sources() []source {
	var list []source
	taken := map[string]names{}
	for _, p := range in.Programs {
		if taken[p.Device] == nil {
			taken[p.Device] = names{}
		}
		list = append(list, source{p, taken[p.Device].take(p.Name)})
	}
	return list
}

// path returns the file of the text.
func (s *source) path() string {
	if s.Device == "cuda" {
		return deviceFolder + s.Device + "/" + s.name + ".cu"
	}
	return deviceFolder + s.Device + "/" + s.name + ".cl"
}

// text returns the text as it is kept.
func (s *source) text() []byte { return kept(s.Key, s.Flags, s.At, s.Hash, s.Text) }

// programs adds the PTX of programs for cuda, and the Go that registers all. It returns the compute capability of the
// PTX; "" if there is none.
func (in *Input) programs(files map[string][]byte) (capability string, err error) {
	all := in.sources()
	if len(all) == 0 {
		return "", nil
	}
	ptx := make([]string, len(all))
	if in.NVRTC != nil && slices.ContainsFunc(all, func(s source) bool { return s.Device == "cuda" }) {
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
func compilePTX(c *nvrtc.Compiler, s source, capability string) (string, error) {
	ptx, log, err := c.PTX(s.name+".cu", s.Text, capability, cuda.Flags(device.Source{Flags: s.Flags}))
	var refused *nvrtc.Error
	if errors.As(err, &refused) && log != "" {
		return "", fmt.Errorf("%s: NVRTC %s: %s", s.name, c.Version(), nvrtc.FirstError(log))
	}
	return ptx, err
}
