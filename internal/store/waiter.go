package store

// Waiter is pending work that must run before the values of a storage are used.
type Waiter interface {
	// Ready runs it before the values are read, changed, or all replaced. It returns an error for values
	// that were not computed.
	Ready(changes, whole bool) error
	// Late keeps the error of Ready for a caller that returns none.
	Late(err error)
}

// Handle is shared by all views of a storage: once it has become unreachable, nothing can read the
// values.
type Handle struct{ _ [16]byte }
