// Package shares lets an example read its mesh in shares, as programs do whose meshes fit into no memory.
package shares

import (
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/mesh"
)

// Of returns this rank's share of the mesh that a function makes; unless it is wanted, the mesh. Rank 0 makes it, writes it to a
// file, and lets go of it; then each rank reads its share. The ranks must be on one machine.
func Of(rt *op2.Runtime, make func() (*mesh.Mesh, error), wanted bool) (share *mesh.Mesh, err error) {
	if !wanted {
		return make()
	}
	var folder string
	if rt.Rank() == 0 {
		if folder, err = os.MkdirTemp("", "op2"); err == nil {
			defer os.RemoveAll(folder)
			err = write(make, filepath.Join(folder, "mesh.vtu"))
		}
	}
	folder, _, failed := (*entity.Runtime)(rt).Tell(rt.Rank() == 0, folder)
	if err := errors.Join(err, failed); err != nil {
		return nil, err
	}
	return mesh.ReadShare(rt, filepath.Join(folder, "mesh.vtu"))
}

// write writes the mesh that a function makes.
func write(make func() (*mesh.Mesh, error), path string) error {
	m, err := make()
	if err != nil {
		return err
	}
	return m.WriteFile(path)
}

// Gather returns what all ranks have, one after the other, on all of them.
func Gather[T any](rt *op2.Runtime, own []T) ([]T, error) {
	all, err := comm.Collect((*entity.Runtime)(rt).Comm(), own)
	return slices.Concat(all...), err
}

// Name returns the name of a file of results: of a share, they are written in pieces.
func Name(name string, inShares bool) string {
	if inShares {
		return name + ".pvtu"
	}
	return name + ".vtu"
}
