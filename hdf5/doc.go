// Package hdf5 reads and writes files in HDF5: sets, maps, subsets, dats, globals and values of the program by name, as
// OP2 lays them out, so that its programs read what this one writes, and the other way around.
//
//	f, err := hdf5.Open(rt, "new_grid.h5")
//	nodes, edges := f.Set("nodes"), f.Set("edges")
//	pedge := f.Map(edges, nodes, 2, "pedge")
//	x := hdf5.Dat[float64](f, nodes, 2, "p_x")
//	err = f.Read(hdf5.Value("gam", &gam))
//
//	f, err := hdf5.Create(rt, "out.h5", hdf5.Compress(4))
//	err = f.Write(nodes, x, hdf5.As("results/q", q))
//	err = f.Close()
//
// On several ranks all calls are collective. Each rank declares, reads and writes its share of the rows, in declared
// numbers, so that any number of ranks can read what others have written. Where the library has been built for the MPI of the
// program, all do so at the same time; otherwise each reads the file by itself, and rank 0 writes for all.
//
// Types and dims are checked against the file's; the error says what differs. The library, libhdf5, is found at run time;
// where it is missing, the error wraps [op2.ErrUnavailable].
package hdf5
