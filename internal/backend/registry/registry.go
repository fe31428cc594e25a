// Package registry lists the backends of this version and opens them by name.
package registry

import (
	"slices"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/cuda"
	"github.com/go-op2/op2/internal/backend/fallback"
	"github.com/go-op2/op2/internal/backend/gofunc"
	"github.com/go-op2/op2/internal/backend/host"
	"github.com/go-op2/op2/internal/backend/opencl"
	"github.com/go-op2/op2/internal/backend/rehearse"
	"github.com/go-op2/op2/internal/backend/trace"
)

var (
	// hosts run loops on the host, in increasing order of auto's preference.
	hosts = []backend.Driver{gofunc.Driver, trace.Of(fallback.Of(host.Sequential)), host.Threads,
		rehearse.Of(fallback.Of(host.Translated), host.Sequential, opencl.Kind, cuda.Kind)}
	devices = []backend.Driver{opencl.Driver, cuda.Driver}
)

// Amend, if not nil, returns the drivers with those of tests among them. Only package registrytest
// sets it, and no program contains that.
var Amend func([]backend.Driver) []backend.Driver

// Drivers returns every backend.
func Drivers() []backend.Driver {
	all := slices.Concat(hosts, devices)
	if Amend != nil {
		all = Amend(all)
	}
	return all
}
