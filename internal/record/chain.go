package record

import (
	"slices"
	"unsafe"

	"github.com/go-op2/op2/internal/tiling"
)

// Chain is loops of a chain that follow each other and can share tiles.
type Chain struct {
	Loops []ChainLoop
	Sets  []string // names, by Bare.Sets
	Dats  []string // names of the values, by Bare.Storages
	Bytes []int    // size of an element's values, by Bare.Storages
	Why   string   // they run loop by loop; "" if they run by tiles
	// Bare is the input of the tiles, with Maps, each of which is here once, in place of the values of
	// maps.
	Bare tiling.Input
	Maps [][]int32
}

// ChainLoop is a loop of a chain.
type ChainLoop struct {
	Kernel string
	Over   string // set or subset, as in messages
	Maps   []int  // by argument: its map in Chain.Maps; -1 for what is direct
}

// SetInput sets the input of the tiles.
func (c *Chain) SetInput(in *tiling.Input) {
	c.Bare, c.Maps = *in, nil
	c.Bare.Loops = slices.Clone(in.Loops)
	numbers := map[*int32]int{}
	for l := range c.Bare.Loops {
		args := slices.Clone(in.Loops[l].Args)
		c.Loops[l].Maps = nil
		for i, a := range args {
			number := -1
			if a.Map != nil {
				values, known := unsafe.SliceData(a.Map), false
				if number, known = numbers[values]; !known {
					number = len(c.Maps)
					numbers[values], c.Maps = number, append(c.Maps, a.Map)
				}
				args[i].Map = nil
			}
			c.Loops[l].Maps = append(c.Loops[l].Maps, number)
		}
		c.Bare.Loops[l].Args = args
	}
}

// Input returns the input of the tiles.
func (c *Chain) Input() *tiling.Input {
	in := c.Bare
	in.Loops = slices.Clone(in.Loops)
	for l := range in.Loops {
		in.Loops[l].Args = slices.Clone(in.Loops[l].Args)
		for i, number := range c.Loops[l].Maps {
			if number >= 0 {
				in.Loops[l].Args[i].Map = c.Maps[number]
			}
		}
	}
	return &in
}
