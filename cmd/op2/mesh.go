package main

import (
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-op2/op2/mesh"
)

// meshCommand describes, checks, converts and draws the mesh of a file, or makes the airfoil example's.
func meshCommand(c console, args []string) error {
	f := newFlags("mesh", "[FILE]")
	output := f.String("o", "", "the `file` to write, in the format of its extension: .msh, .vtu, .h5 or .dat")
	picture := f.String("png", "", "the `file` to draw the mesh to")
	orient := f.Bool("orient", false, "make the orientation of the elements consistent before all else")
	text := f.Bool("text", false, "write .msh as text")
	gmsh22 := f.Bool("gmsh22", false, "write .msh in version 2.2 rather than 4.1")
	i := f.Int("i", 400, "without FILE, for -o: cells along the airfoil; the mesh has 3 * i * j cells")
	j := f.Int("j", 600, "without FILE: cells from the airfoil outwards")
	seed := f.Uint64("shuffle", 0, "without FILE: number everything at random, by this `seed`; 0: in good order")
	asJSON := jsonFlag(f)
	file, err := parseFile(c, f, args)
	if err != nil {
		return err
	}
	if file == "" {
		if err := onlyFlags(f, "o", "i", "j", "shuffle"); err != nil {
			return wrongUse(f, err)
		}
		if *output == "" {
			return showUsage(c, f)
		}
		return makeAirfoil(c, *i, *j, *seed, *output)
	}
	if err := onlyFlags(f, "o", "png", "orient", "text", "gmsh22", "json"); err != nil {
		return wrongUse(f, err)
	}
	shown, remove := c.progress()
	m, err := mesh.ReadFile(file, shown)
	remove()
	if err != nil {
		return err
	}
	if *orient {
		if err := m.Orient(); err != nil {
			return err
		}
	}
	figures, err := figuresOf(m)
	if err != nil {
		return err
	}
	if *asJSON {
		err = writeJSON(c.results, figures)
	} else {
		err = figures.write(c.results)
	}
	if err != nil {
		return err
	}
	if *output != "" {
		var options []mesh.WriteOption
		if *text {
			options = append(options, mesh.WithText())
		}
		if *gmsh22 {
			options = append(options, mesh.WithGmsh22())
		}
		if err := m.WriteFile(*output, options...); err != nil {
			return err
		}
		if err := c.wrote(*output); err != nil {
			return err
		}
	}
	if *picture != "" {
		if err := drawMesh(*picture, m, filepath.Base(file)); err != nil {
			return err
		}
		return c.wrote(*picture)
	}
	return nil
}

// onlyFlags returns an error if a flag is given that is not among the names.
func onlyFlags(f *flag.FlagSet, names ...string) (err error) {
	f.Visit(func(given *flag.Flag) {
		if !slices.Contains(names, given.Name) && err == nil {
			use := "goes with a FILE"
			if strings.HasPrefix(given.Usage, "without FILE") {
				use = "goes without a FILE"
			}
			err = errors.New("-" + given.Name + " " + use)
		}
	})
	return err
}

// makeAirfoil writes the mesh around NACA 0012 as OP2's new_grid.dat, or in another format.
func makeAirfoil(c console, i, j int, seed uint64, path string) error {
	m, err := mesh.NACA0012(i, j)
	if err != nil {
		return err
	}
	if seed != 0 {
		m.Shuffle(seed)
	}
	if err := m.WriteFile(path); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(c.results, "%d nodes, %d cells, %d edges, %d boundary edges\n", m.Nodes(), m.Cells(), m.Given.Interior.Len(), m.Given.Boundary.Len()); err != nil {
		return err
	}
	return c.wrote(path)
}
