package distribute

import (
	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/store"
)

// migrate moves elements to their new owners, with all that has been declared on them. It is collective.
func (d *division) migrate() error {
	rt, c := d.rt, d.rt.Comm()
	mats := d.all.Mats
	beside := make([][]*entity.Data, len(mats))
	for i, m := range mats {
		if b := m.Beside(); b != nil {
			var err error
			if beside[i], err = b.Leave(); err != nil {
				return err
			}
			d.all.Mats = append(d.all.Mats, beside[i]...)
		}
	}
	rows := make([][]comm.Message, len(d.all.Mats))
	for i, m := range d.all.Mats {
		var err error
		if rows[i], err = d.sendRows(m); err != nil {
			return err
		}
	}
	homes := make([]*halo.Directory, len(d.all.Sets)) // who owns what so far
	for i := range d.all.Sets {
		set := &d.mesh.Sets[i]
		before := set.Owned
		homes[i] = set.Home
		if err := move(c, set, d.owners[i]); err != nil {
			return rt.Broken(err)
		}
		from, err := halo.NewFetcher(c, homes[i], before, set.Owned)
		if err == nil {
			err = bringRows(d.mesh, i, from.Fetch)
		}
		if err != nil {
			return rt.Broken(err)
		}
		d.owners[i], d.places[i] = nil, nil
	}
	sets := make([]int, len(d.all.Sets))
	for i := range sets {
		sets[i] = i
	}
	renumberOwned(rt, d.mesh, func(i int) int { return d.weights[i] }, sets)
	for i := range d.all.Sets {
		set := &d.mesh.Sets[i]
		var err error
		if set.Home, err = halo.NewDirectory(c, set.Name, set.Size, set.Owned); err != nil {
			return rt.Broken(err)
		}
	}
	if err := settle(rt, d.mesh, d.all.Sets, d.all.Maps, func(local *halo.Local) error { return d.moveValues(local, homes) }); err != nil {
		return err
	}
	rt.Numbers().Lock()
	defer rt.Numbers().Unlock()
	for _, s := range d.all.Sparsities {
		if err := s.Rebuild(); err != nil {
			return err
		}
	}
	for i, m := range d.all.Mats {
		if err := refill(m, rows[i]); err != nil {
			return err
		}
	}
	rt.Strand(d.all)
	rt.Moved()
	for i, m := range mats {
		if b := m.Beside(); b != nil {
			if err := b.Arrive(beside[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// moveValues brings the values and the subsets of the elements that are going to be here, one set after another.
// It is collective.
func (d *division) moveValues(local *halo.Local, homes []*halo.Directory) error {
	stored, err := stored(d.rt, d.all.Dats)
	if err != nil {
		return err
	}
	for i, s := range d.all.Sets {
		numbers := local.Sets[i].Numbers
		from, err := halo.NewFetcher(d.rt.Comm(), homes[i], s.Numbers()[:s.Size()], numbers)
		if err != nil {
			return d.rt.Broken(err)
		}
		for _, dat := range d.all.Dats {
			if dat.Set() == s {
				if err := dat.Move(from, len(numbers), !stored[dat]); err != nil {
					return err
				}
			}
		}
		for _, sub := range d.all.Subsets {
			if sub.Of() == s {
				if err := sub.Move(from, len(numbers)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// sendRows sends the rows of a matrix to their new owners, and returns those that come. Each has its number, how many
// blocks it has, the numbers of their columns, and their values. It is collective.
func (d *division) sendRows(m *entity.Data) ([]comm.Message, error) {
	err := m.Storage().Unused(func() error { return m.Bring(false) })
	if err = d.rt.Agree(err); err != nil {
		return nil, err
	}
	set := d.place(m.Set())
	owners := make([]int32, len(d.places[set])) // by place
	for i, place := range d.places[set] {
		owners[place] = d.owners[set][i]
	}
	out := comm.Outbox[byte]{}
	m.Rows(func(place int, row int64, cols []int64, values []byte) {
		to := int(owners[place])
		out.Add(to, store.Bytes([]int64{row, int64(len(cols))})...)
		out.Add(to, store.Bytes(cols)...)
		out.Add(to, values...)
	})
	own := comm.Message{Rank: d.rt.Rank(), Data: out[d.rt.Rank()]}
	delete(out, d.rt.Rank())
	came, err := d.rt.Comm().Consensus(out.Messages())
	if err != nil {
		return nil, d.rt.Broken(err)
	}
	return append(came, own), nil
}

// refill gives a matrix whose pattern has been rebuilt the rows that have come.
func refill(m *entity.Data, rows []comm.Message) error {
	block := m.Sparsity().Block().Size() * m.Scalar().Size()
	return m.Refill(func(set func(row int64, cols []int64, values []byte)) {
		for _, message := range rows {
			for rest := message.Data; len(rest) > 0; {
				head := make([]int64, 2)
				rest = rest[copy(store.Bytes(head), rest):]
				cols := make([]int64, head[1])
				rest = rest[copy(store.Bytes(cols), rest):]
				set(head[0], cols, rest[:len(cols)*block])
				rest = rest[len(cols)*block:]
			}
		}
	})
}
