package problem

import (
	"errors"
	"fmt"

	"github.com/go-op2/op2/internal/kernel"
)

// KernelError reports a kernel that cannot be used: it does not parse, uses something kernels may
// not, or breaks the access contract of its arguments.
type KernelError struct {
	Kernel   string
	Problems []kernel.Problem // in order of position
	err      error
}

func (e *KernelError) Error() string { return "op2: " + e.err.Error() }

// Unwrap returns the front end's error.
func (e *KernelError) Unwrap() error { return e.err }

// OfKernel converts a front end's error to a *KernelError.
func OfKernel(err error) error {
	var k *kernel.Error
	if errors.As(err, new(*KernelError)) {
		return err
	}
	if errors.As(err, &k) {
		return &KernelError{Kernel: k.Kernel, Problems: k.Problems, err: err}
	}
	return Errorf("op2: %w", err)
}

// Kernelf returns the error of a kernel that no front end has seen.
func Kernelf(name, format string, args ...any) *KernelError {
	return &KernelError{Kernel: name, err: fmt.Errorf("kernel %s: "+format, append([]any{name}, args...)...)}
}

// OfLoop adds the loop's name to an error of a kernel.
func OfLoop(what string, err error) error {
	var k *KernelError
	if errors.As(err, &k) {
		return &KernelError{Kernel: k.Kernel, Problems: k.Problems, err: fmt.Errorf("%s: %w", what, k.err)}
	}
	return err
}
