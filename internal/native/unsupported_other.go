//go:build !((darwin || freebsd || linux || netbsd) && !android && !faketime) && !op2_static

package native

import (
	"errors"
	"fmt"
	"runtime"
)

// Unsupported says why libraries cannot be loaded.
var Unsupported = fmt.Errorf("libraries cannot be loaded on %s: %w", runtime.GOOS, errors.ErrUnsupported)
