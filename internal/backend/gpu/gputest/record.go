package gputest

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/go-op2/op2/internal/device"
)

// recorder is a device that keeps what it is to compile.
type recorder struct{ device.Device }

// Build keeps the source.
func (r *recorder) Build(s device.Source) device.Program {
	recorded.Lock()
	defer recorded.Unlock()
	if recorded.sources == nil {
		recorded.sources = map[string]device.Source{}
	}
	recorded.sources[strings.Join(append(s.Flags, s.Text), "\n")] = s
	return r.Device.Build(s)
}

// recorded are the sources so far, each once.
var recorded struct {
	sync.Mutex
	sources map[string]device.Source
}

// Sources are the programs that the process has compiled on the stand-in, each text once, in
// the order of their names.
func Sources() []device.Source {
	recorded.Lock()
	defer recorded.Unlock()
	return slices.SortedFunc(maps.Values(recorded.sources), func(a, b device.Source) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Text, b.Text))
	})
}
