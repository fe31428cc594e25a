package distribute

import (
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/mpi"
	"github.com/go-op2/op2/internal/partition"
)

// smallGraph is the number of elements for each rank below which libraries may leave ranks without any, or fail.
const smallGraph = 64

// graphOfShares returns the places of the set with the most data among those in shares that a map connects, and of the map with
// the fewest targets that does; -1 if there is none.
func graphOfShares(m *entity.Declared) (set, by int) {
	set, by = -1, -1
	most := int64(-1)
	for s, of := range m.InShares() {
		data := int64(m.Weights[of]) * of.Whole()
		for i, f := range m.Maps {
			if of.Whole() < smallGraph*int64(of.Runtime().Ranks()) || f.To() != of || !f.From().Shared() || f.Arity() < 2 || f.IsMasked() {
				continue
			}
			if data > most || data == most && set == s && f.Arity() < m.Maps[by].Arity() {
				set, by, most = s, i, data
			}
		}
	}
	return set, by
}

// ptscotch returns the MPI through which PT-Scotch can divide shares; on all ranks the error of one that cannot use it.
func ptscotch(rt *entity.Runtime) (m partition.MPI, why string, err error) {
	c, is := rt.Comm().(*mpi.Comm)
	if !is {
		return m, "the ranks are not those of an MPI", nil
	}
	files, can := c.Files()
	m = partition.MPI{Communicator: files.Communicator, Identity: files.Identity}
	if !can {
		why = "MPI allows calls by one thread only"
	} else if missing := partition.HasPTScotch(m); missing != nil {
		why = missing.Error()
	}
	why, _, err = rt.Tell(why != "", why)
	return m, why, err
}
