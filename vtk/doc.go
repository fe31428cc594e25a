// Package vtk writes results for ParaView and other programs that use VTK: dats on the cells and nodes of a mesh, at
// one time or as a series.
//
//	s, err := vtk.NewSeries("out/flow", m)        // out/flow.pvd, to be opened in ParaView
//	err = s.Write(t, vtk.Cells("h", h), vtk.Nodes("u", u))
//	err = s.Close()
//
// Files are binary and compressed, and are written while the program goes on: by each rank its piece, or by rank 0 (see [On]). [Part] and [Groups] add boundaries and
// subsets as blocks of their own.
//
// Values are written in the order of the mesh, whatever their order in memory is.
//
// Its callers are programs that compute on a mesh. Meshes without results are written by [mesh.Mesh.WriteVTU].
package vtk
