package halo

// Prefixes of a set's elements: the owned ones, and then part by part; see Mesh.
const (
	Owned      = 0
	Everywhere = 1 << 30 // whatever the number of layers
)

// State says which values of a dat are right on this rank, besides those that it owns.
type State struct {
	Valid   int    // the prefix whose values are right; the rest of the halo is stale
	Through *Reach // what loops reach through it is right, too, up to the prefix Reached
	Reached int
	Wanted  int // the longest prefix that loops have read so far
}

// Reach is the messages with the values that loops reach through a map.
type Reach struct {
	Map   string // its name
	Parts []Part
}

// Written records that values have been written, after which a prefix of them is right.
func (s *State) Written(valid int) { s.Valid, s.Through = valid, nil }

// Like records that the values right here are those that are elsewhere.
func (s *State) Like(other State) {
	s.Valid, s.Through, s.Reached = other.Valid, other.Through, other.Reached
}
