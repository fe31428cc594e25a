package entity

// Beside is what is kept for a matrix besides its values, value by value. It goes with rows that move to other ranks, and is in
// no checkpoint.
type Beside interface {
	// Leave returns matrices of the same pattern with it. It is collective.
	Leave() ([]*Data, error)
	// Arrive takes it back, once all else has moved: the matrices have the rows that are here now.
	Arrive([]*Data) error
	// Unsaved says what a checkpoint of the values would lack; "" if nothing.
	Unsaved() string
	// Restored is called once the values are those of a checkpoint.
	Restored()
}

// KeepBeside makes what is kept for a matrix go with its rows.
func (d *Data) KeepBeside(b Beside) { d.beside = b }

// Beside returns what is kept for a matrix; nil if there is nothing.
func (d *Data) Beside() Beside { return d.beside }
