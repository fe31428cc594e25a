package hdf5_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/hdf5"
	"github.com/go-op2/op2/internal/optest"
)

// BenchmarkDat writes and reads a dat of 256 MB, after plain writes of as many bytes. On several ranks:
//
//	go test -c -o bench ./hdf5 && mpirun -n 2 ./bench -test.run - -test.bench Dat -test.benchtime 5x
func BenchmarkDat(b *testing.B) {
	const elements, bytes = 8 << 20, 256 << 20
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	defer rt.Close()
	n, rank := rt.Ranks(), rt.Rank()
	cells := rt.NewSetShare(elements*(rank+1)/n-elements*rank/n, "cells")
	q := op2.NewDat[float64](cells, 4, nil, "q")
	optest.OK(b, errors.Join(rt.Err(), q.Fill(1, 2, 3, 4)))
	path := filepath.Join(os.TempDir(), "op2-bench.h5") // the same on all ranks
	for _, c := range []struct {
		name string
		do   func() error
	}{
		{"plain", func() error {
			if rank != 0 {
				return nil
			}
			f, err := os.Create(path)
			if err != nil {
				return err
			}
			_, err = f.Write(make([]byte, bytes))
			return errors.Join(err, f.Sync(), f.Close())
		}},
		{"write", func() error {
			f, err := hdf5.Create(rt, path)
			if err != nil {
				return err
			}
			return errors.Join(f.Write(q), f.Close())
		}},
		{"read", func() error {
			f, err := hdf5.Open(rt, path)
			if err != nil {
				return err
			}
			return errors.Join(f.Read(q), f.Close())
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(bytes)
			for range b.N {
				optest.OK(b, c.do())
			}
		})
	}
	if rank == 0 {
		optest.OK(b, os.Remove(path))
	}
}
