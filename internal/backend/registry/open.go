package registry

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/host"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/sorting"
	"github.com/go-op2/op2/internal/spell"
	"github.com/go-op2/op2/translated"
)

// Open opens the backend called name, or for auto the best one that opens, and returns its name. Before
// it checks one, it calls share.
func Open(name string, c backend.Config, share func(backend.Backend) error) (string, backend.Backend, error) {
	if name == "auto" {
		return openBest(c, share)
	}
	var names []string
	for _, d := range Drivers() {
		if d.Name == name {
			b, err := d.Open(c)
			if err == nil && c.Choices.Compiler == "" && c.Choices.HostFlags == "" { // if its compiler does not work, it takes another one
				if err = share(b); err == nil {
					err = works(b)
				}
				if err != nil {
					b.Close()
				}
			}
			if err != nil {
				return "", nil, problem.Errorf("op2: backend %s%s: %w", name, asked(name, c), err)
			}
			return name, b, nil
		}
		names = append(names, d.Name)
	}
	what := ""
	if name == os.Getenv("OP2_BACKEND") {
		what = "OP2_BACKEND=" + name + ": "
	}
	return "", nil, problem.Errorf("op2: %sthere is no backend %q%s: %w\n  hint: this version has auto, %s",
		what, name, spell.DidYouMean(name, append(names, "auto")), backend.ErrUnavailable, strings.Join(names, ", "))
}

// works checks a backend.
func works(b backend.Backend) error {
	if err := b.Check(); err != nil {
		return problem.Errorf("the compiler does not work: %w", err)
	}
	return nil
}

// asked lists the environment variables that influenced how the backend was opened, with their
// values, for its errors.
func asked(name string, c backend.Config) string {
	var values map[string]string
	switch name {
	case "opencl":
		values = map[string]string{"OP2_OPENCL_DEVICE": c.DeviceOf(name)}
	case "cuda":
		values = map[string]string{"OP2_CUDA_DEVICE": c.DeviceOf(name)}
	case "sequential", "openmp", "translated":
		values = map[string]string{"OP2_CC": c.Choices.Compiler, "OP2_CFLAGS": string(c.Choices.HostFlags)}
	}
	var from []string
	for _, variable := range sorting.Keys(values) {
		if v := values[variable]; v != "" && v == os.Getenv(variable) { // not set by an option
			from = append(from, variable+"="+v)
		}
	}
	if len(from) == 0 {
		return ""
	}
	return ", with " + strings.Join(from, " and ")
}

// openBest opens the last of the host's backends that is available and works: `translated` only where the program contains
// translated code, and no compiler was requested. If a compiler or
// flags for it were requested, it does not fall back: their errors are final.
func openBest(c backend.Config, share func(backend.Backend) error) (string, backend.Backend, error) {
	var missing error
	for i := len(hosts) - 1; ; i-- {
		d := hosts[i]
		if d.Name == host.Translated.Name && (c.Choices.Compiler != "" || len(translated.Packages()) == 0) {
			continue
		}
		b, err := d.Open(c)
		if err == nil {
			if err = share(b); err != nil {
				return "", nil, errors.Join(err, b.Close())
			}
			if err = works(b); err == nil {
				if i == 0 && missing != nil {
					c.Warn(fmt.Sprintf("auto uses the backend go, which is several times slower than compiled C: %v", missing))
				}
				return d.Name, b, nil
			}
			b.Close()
			if i > 0 && c.Choices.Compiler == "" && c.Choices.HostFlags == "" {
				c.Warn(fmt.Sprintf("auto passes over the backend %s: %v", d.Name, err))
				continue
			}
		}
		if !errors.Is(err, backend.ErrUnavailable) || c.Choices.Compiler != "" || i == 0 {
			return "", nil, problem.Errorf("op2: backend %s%s: %w", d.Name, asked(d.Name, c), err)
		}
		missing = err
	}
}
