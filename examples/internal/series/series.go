// Package series names the files of a series that ParaView opens.
package series

import "strings"

// File returns the name of the file that vtk.NewSeries writes, given its path.
func File(path string) string {
	if strings.HasSuffix(path, ".vtkhdf") {
		return path
	}
	return strings.TrimSuffix(strings.TrimSuffix(path, ".pvtu"), ".pvd") + ".pvd"
}
