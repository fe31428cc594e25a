package opencl

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/native"
)

// notFound reports that OpenCL has no platform, or no device.
func notFound(what, where string, err error) error {
	e := &native.NotFoundError{What: "no OpenCL", Names: []string{what}, Where: []string{where}, Err: err, Hint: hint}
	if strings.Contains(where, poclPlatform) { // PoCL is installed, and has a device unless its cache folder is read-only
		e.Hint = "PoCL needs a folder that it can write to: set POCL_CACHE_DIR, or XDG_CACHE_HOME"
	}
	return e
}

// poclPlatform is the name of PoCL's platform.
const poclPlatform = "Portable Computing Language"

// A ChoiceError reports that no device matches the choice, and lists the devices.
type ChoiceError struct {
	Choice  string
	Devices []string // their names and platforms, by number
}

func (e *ChoiceError) Error() string {
	text := fmt.Sprintf("no OpenCL device %q: it is a number, or a part of the name of a device or its platform; there are", e.Choice)
	for i, name := range e.Devices {
		text += fmt.Sprintf("\n  %d: %s", i, name)
	}
	return text
}

var (
	errClosed   = errors.New("the OpenCL device is closed")
	errReleased = errors.New("the program was released")
)

// codeError returns a code as an error; nil for success.
func codeError(c code) error {
	if c == 0 {
		return nil
	}
	return errors.New(c.String())
}
