package choice

import (
	"fmt"
	"slices"
)

// By is who has chosen. A greater one has more authority.
type By int

// Who chooses.
const (
	Nobody   By = iota
	Estimate    // the library, from what it knows of the loop and the machine
	Tuning      // trials in this run
	Wisdom      // trials in earlier runs
	User        // options and the environment
)

var authorities = []string{"nobody", "estimate", "tuning", "wisdom", "user"}

// String returns a name: "user".
func (b By) String() string { return authorities[b] }

// MarshalText returns the name.
func (b By) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// UnmarshalText sets b to that of a name.
func (b *By) UnmarshalText(name []byte) error {
	i := slices.Index(authorities, string(name))
	if i < 0 {
		return fmt.Errorf("%q makes no choices: expected one of %q", name, authorities)
	}
	*b = By(i)
	return nil
}
