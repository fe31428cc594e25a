package distribute

import (
	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/store"
)

// migrate moves elements to their new owners, with all that has been declared on them. It is collective.
func (d *division) migrate() error {
	rt := d.rt
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
	homes, sets := make([]*halo.Directory, len(d.all.Sets)), make([]int, len(d.all.Sets)) // who owns what so far
	for i := range sets {
		homes[i], sets[i] = d.mesh.Sets[i].Home, i
	}
	d.places = nil
	if err := resettle(rt, d.mesh, sets, d.owners, d.weights); err != nil {
		return err
	}
	err := settle(rt, d.mesh, d.all.Sets, d.all.Maps, func(local *halo.Local) error {
		return bringValues(rt, d.all.Sets, d.all.Dats, d.all.Dats, d.all.Subsets, func(i int) (*halo.Fetcher, error) {
			s := d.all.Sets[i]
			return halo.NewFetcher(rt.Comm(), homes[i], s.Numbers()[:s.Size()], local.Sets[i].Numbers)
		})
	})
	if err != nil {
		return err
	}
	rt.Numbers().Lock()
	defer rt.Numbers().Unlock()
	rt.Spread()
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

// sendRows sends the rows of a matrix to their new owners, and returns those that come. Each has its number, how many
// blocks it has, the numbers of their columns, and their values. It is collective.
func (d *division) sendRows(m *entity.Data) ([]comm.Message, error) {
	err := m.Storage().Unused(func() error { return m.Bring(false) })
	if err = d.rt.Agree(err); err != nil {
		return nil, err
	}
	base, layers := m.Set().Columns().Base()
	set := d.place(base)
	owners := make([]int32, len(d.places[set])) // by place
	for i, place := range d.places[set] {
		owners[place] = d.owners[set][i]
	}
	out := comm.Outbox[byte]{}
	m.Rows(func(place int, row int64, cols []int64, values []byte) {
		to := int(owners[place/layers])
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
