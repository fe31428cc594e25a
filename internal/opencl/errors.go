package opencl

import (
	"errors"
	"fmt"
	"strings"
)

// A NotFoundError reports that the library, a platform, or a device is missing.
type NotFoundError struct {
	What  string
	Where string
	Err   error // why it cannot be used; may be nil
}

// Error says what was searched for, where, and what to install.
func (e *NotFoundError) Error() string {
	text := "no OpenCL: looked for a " + e.What + " in " + e.Where
	if strings.HasPrefix(e.Where, "where ") {
		text = "no OpenCL: looked for the " + e.What + " " + e.Where
	}
	if e.Err != nil {
		text += fmt.Sprintf(" (%v)", e.Err)
	}
	if strings.Contains(e.Where, poclPlatform) { // PoCL is installed, and has a device unless its cache folder is read-only
		return text + "\n  hint: PoCL needs a folder that it can write to: set POCL_CACHE_DIR, or XDG_CACHE_HOME"
	}
	return text + "\n  hint: apt install ocl-icd-libopencl1 (Debian, Ubuntu), and the driver of the device: for the processor pocl-opencl-icd"
}

func (e *NotFoundError) Unwrap() error { return e.Err }

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
