// Package mesh creates, reads and writes unstructured meshes, finds their edges and faces, and declares them as sets,
// maps and dats.
//
// A [Mesh] is plain data: coordinates, elements of one or more kinds, and named groups of them.
// [ReadFile] and [Mesh.WriteFile] read and write them in the formats of Gmsh and VTK; [Mesh.Check] looks for problems.
// [Rectangle], [Box], [Disc], [Annulus] and [NACA0012] generate meshes. [Mesh.Facets] and [Mesh.Edges] relate cells, faces,
// edges and nodes; [Mesh.Mark] names parts of the boundary. [Mesh.Declare] is the way to loops:
//
//	m, err := mesh.Disc(mesh.Triangle, 20, 1)
//	...
//	disc := m.Declare(rt, mesh.WithEdges())
//	h := op2.NewDat[float64](disc.Cells, 1, nil, "h")
//	flux := op2.NewLoop(kernel, disc.Edges, disc.X.Read(disc.EdgeNodes), h.Read(disc.EdgeCells))
//
// OP2's airfoil has its order of edges in [Mesh.Given], and a text format, new_grid.dat: [ReadAirfoil], [Mesh.WriteAirfoil].
package mesh
