package op2

import (
	"github.com/go-op2/op2/internal/backend/registry"
)

// BackendInfo describes what this machine has for one backend.
type BackendInfo struct {
	Name      string
	Summary   string
	Available bool
	Found     []Requirement
	Missing   []Requirement
}

// Requirement is something that a backend needs.
type Requirement struct {
	What   string // "C compiler"
	Detail string // its path and version; or what was searched for, and where
	Hint   string // how to install it
}

// Backends looks for what each backend needs, and reports what is available and what is not.
func Backends(options ...Option) ([]BackendInfo, error) {
	c, err := configure(options)
	if err != nil {
		return nil, err
	}
	var infos []BackendInfo
	for _, d := range registry.Drivers() {
		report := d.Probe(c.Backend)
		info := BackendInfo{Name: d.Name, Summary: d.Summary, Available: len(report.Missing) == 0}
		for _, i := range report.Found {
			info.Found = append(info.Found, Requirement(i))
		}
		for _, i := range report.Missing {
			info.Missing = append(info.Missing, Requirement(i))
		}
		infos = append(infos, info)
	}
	return infos, nil
}
