package rankfile

import (
	"errors"
	"strings"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/hdf5"
	"github.com/go-op2/op2/internal/launch"
	"github.com/go-op2/op2/internal/mpi"
	"github.com/go-op2/op2/internal/native"
	"github.com/go-op2/op2/internal/problem"
)

// library returns the library for all ranks: with an MPI if they access files together through that. It is collective.
func library(rt *entity.Runtime) (*hdf5.Library, *hdf5.MPI, error) {
	if rt == nil {
		l, err := alone()
		return l, nil, err
	}
	if m := parallel(rt); m != nil {
		l, err := hdf5.Open(m)
		if some, broken := rt.AnyRank(err != nil); broken != nil || !some {
			return l, m, broken
		}
		_, _ = entity.Keep(rt, warned{}, func() (warned, error) {
			rt.WarnAsOne("hdf5: rank 0 writes for all ranks, since there is no library that they can share: " + strings.TrimSpace(reason(err)))
			return warned{}, nil
		})
	}
	l, err := alone()
	return l, nil, rt.Agree(err)
}

// alone returns the library for one process.
func alone() (*hdf5.Library, error) {
	l, err := hdf5.Open(nil)
	if missing := (*native.NotFoundError)(nil); errors.As(err, &missing) {
		err = problem.Errorf("op2: %w: %w", backend.ErrUnavailable, err)
	}
	return l, err
}

// warned is the key of a warning that a runtime writes once.
type warned struct{}

func reason(err error) string {
	if err == nil {
		return "another rank lacks it"
	}
	return err.Error()
}

// parallel returns what ranks of MPI access files through together; nil if they cannot. All ranks get the same.
func parallel(rt *entity.Runtime) *hdf5.MPI {
	c, is := rt.Comm().(*mpi.Comm)
	if !is || c.Size() == 1 {
		return nil
	}
	files, can := c.Files()
	if !can {
		return nil
	}
	m := &hdf5.MPI{Name: c.Name(), Communicator: files.Communicator, Info: files.NoInfo, Identity: files.Identity, Build: "openmpi"}
	if c.Library().Family == launch.MPICH {
		m.Build = "mpich"
	}
	return m
}
