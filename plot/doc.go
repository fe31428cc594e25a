// Package plot draws fields on two-dimensional unstructured meshes of polygons as
// PNG pictures: a scalar in colors, a vector as arrows or streamlines, the edges of the cells,
// the bodies inside the mesh, axes and a color bar. [Panels] puts several in one picture,
// [Animation] one after the other.
//
// It takes plain slices, the same ones a computation works on, and needs no
// display. It is not a charting library: it draws one kind of figure and has
// few options. Commands and examples call it; the rest of the library does not.
//
// A picture is made in steps, one file each: the mesh and the values are checked (mesh.go,
// field.go), the range of colors is chosen (limits.go, or classes.go for classes), the figure is
// laid out (layout.go), the cells are painted on a fine grid of samples (raster.go, paint.go),
// uncovered samples are classified as bodies or outside (holes.go, boundary.go), the samples are
// averaged to pixels (resolve.go), and lines and text are drawn on top (contours.go, edges.go,
// rims.go, arrows.go or streamlines.go, axes.go, colorbar.go).
package plot
