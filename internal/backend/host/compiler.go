package host

import (
	"runtime"
	"strings"

	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/jit"
)

// Flags returns the flags for loops, before the user's own: optimized for this processor, with Go's
// wrapping integers, and without floating-point side effects that cost speed and kernels never see
// (errno, exception flags). None of them changes a value, except that products and sums may be
// contracted.
func Flags(family string) []string {
	flags := []string{"-std=gnu11", "-O3", "-march=native", "-fwrapv", "-fno-math-errno", "-fno-trapping-math", "-fvisibility=hidden"}
	if runtime.GOARCH == "arm64" && family == "gcc" || strings.HasPrefix(runtime.GOARCH, "ppc64") {
		flags[2] = "-mcpu=native"
	}
	return flags
}

// uncontracted is the flag with which products and sums are rounded separately.
const uncontracted = "-ffp-contract=off"

// lenient are additional flags for C kernels. Their int, long and long long are, to C, other types
// than the wrapper's int32_t and int64_t, even where they are the same; and their casts are their
// own responsibility. Inline functions exist even if the compiler does not inline them.
var lenient = []string{"-fno-strict-aliasing", "-Wno-incompatible-pointer-types", "-fgnu89-inline"}

// macrosInPlace makes gcc report mistakes where names of a C kernel are used in its source, instead
// of where the macros that rename them are defined.
const macrosInPlace = "-ftrack-macro-expansion=0"

// compiler compiles the code of loops that have chosen it, with their flags.
type compiler struct {
	builder *jit.Builder // nil if static, or if there is none
	family  string       // GCC if there is none
	flags   choice.Flags // chosen, after the library's own
	name    string       // of one that is not the runtime's; code that the program contains does not take its place
}

// rounds reports whether the chosen flags round products and sums separately.
func (c *compiler) rounds() bool { return c.flags.Has(uncontracted) }

// key tells the code of compilers and flags apart.
func (c *compiler) key() string { return c.name + "\x00" + string(c.flags) + "\x00" }
