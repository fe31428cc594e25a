package choice

import (
	"math/bits"

	"github.com/go-op2/op2/internal/loop"
)

// Chooser returns choices for a loop that its user has left open, of wisdom or tuning, when the loop is prepared. What the
// user has chosen stays; what neither has chosen is estimated.
type Chooser func(Subject) Made

// Subject is what a chooser is told of a loop.
type Subject struct {
	Loop     loop.Hash
	Name     string // of the kernel
	Backend  string
	Machine  string  // the processor or device, as its maker calls it
	Compiler string  // with its version, or Translated; "" if there is none
	Elements int     // of several ranks the mean
	Degree   int     // the most elements that an indirect argument's target has in the mean; 0 for direct loops
	Scatters bool    // neighbors among the elements have targets far from each other
	Threads  int     // that loops may have on the host
	User     Made    // what the user has chosen
	Start    Choices // what the user has chosen for all loops, that may change
}

// Translated is the compiler of loops whose code the program contains: who made that is not known.
const Translated = "translated ahead of time"

// DegreeClass returns a number that is the same for about as many elements at a target: those within a factor of two.
func (s *Subject) DegreeClass() int { return bits.Len(uint(s.Degree)) }

// SizeClass returns a number that is the same for loops over about as many elements: those within a factor of two.
func (s *Subject) SizeClass() int { return bits.Len(uint(s.Elements)) }
