// Package shares lets an example read its mesh in shares, as programs do whose meshes fit into no memory.
package shares

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/mesh"
)

// Of returns this rank's share of a mesh, which goes through a file; unless it is wanted, the mesh. Examples make meshes: rank 0
// has all of it for a while, and others need none; ranks that are to read the file must be on one machine.
func Of(rt *op2.Runtime, m *mesh.Mesh, wanted bool) (share *mesh.Mesh, err error) {
	if !wanted {
		return m, nil
	}
	var folder string
	if rt.Rank() == 0 {
		if folder, err = os.MkdirTemp("", "op2"); err == nil {
			defer os.RemoveAll(folder)
			err = m.WriteFile(filepath.Join(folder, "mesh.vtu"))
		}
	}
	folder, _, failed := (*entity.Runtime)(rt).Tell(rt.Rank() == 0, folder)
	if err := errors.Join(err, failed); err != nil {
		return nil, err
	}
	return mesh.ReadShare(rt, filepath.Join(folder, "mesh.vtu"))
}
