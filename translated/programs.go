package translated

import "slices"

// Program is the source of one loop for a kind of device, whose text is in the generated package, and for `cuda`
// what NVIDIA's compiler made of it.
type Program struct {
	Name   string // of the kernel, for messages
	Device string // "opencl", "opencl-cpu" or "cuda"
	// Key identifies the source and the flags of its compiler. A program is never found for other source.
	Key string
	// PTX is code that the driver of each device translates that has the compute capability of Level, or a later
	// one; "" if there is none.
	PTX   string
	Level string // "compute_70"
}

// forDevice is what the packages of the program have for one kind of device.
type forDevice struct {
	byKey    map[string]*Program
	packages []Package
}

var devices = map[string]*forDevice{}

// RegisterPrograms adds the programs of a generated package for devices.
func RegisterPrograms(path string, programs ...Program) {
	mu.Lock()
	defer mu.Unlock()
	for i := range programs {
		p := &programs[i]
		d := devices[p.Device]
		if d == nil {
			d = &forDevice{byKey: map[string]*Program{}}
			devices[p.Device] = d
		}
		d.byKey[p.Key] = p
		last := len(d.packages) - 1
		if last < 0 || d.packages[last].Path != path {
			d.packages = append(d.packages, Package{Path: path})
			last++
		}
		of := &d.packages[last]
		if p.Level != "" {
			of.Level = p.Level
		}
		if at, known := slices.BinarySearch(of.Names, p.Name); !known {
			of.Names = slices.Insert(of.Names, at, p.Name)
		}
	}
}

// FindProgram returns the program of a key for a kind of device; nil if there is none.
func FindProgram(device, key string) *Program {
	mu.Lock()
	defer mu.Unlock()
	if d := devices[device]; d != nil {
		return d.byKey[key]
	}
	return nil
}

// ProgramPackages returns the generated packages of the program that have programs for a kind of device. Their Level
// is that of the PTX, or "".
func ProgramPackages(device string) []Package {
	mu.Lock()
	defer mu.Unlock()
	if d := devices[device]; d != nil {
		return slices.Clone(d.packages)
	}
	return nil
}
