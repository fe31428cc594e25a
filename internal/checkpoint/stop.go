package checkpoint

import "context"

// stopped ends a program after a signal. Programs that handle interrupts know it as the end of a context.
type stopped struct{ text string }

func (s *stopped) Error() string { return s.text }

func (s *stopped) Unwrap() error { return context.Canceled }
