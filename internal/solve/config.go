package solve

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/algebra"
	"github.com/go-op2/op2/internal/spell"
	"github.com/go-op2/op2/internal/tune"
)

// Config is the configuration of a solver. Names and defaults are PETSc's.
type Config struct {
	Engine, Method, Preconditioner string
	RTol, ATol, DivTol             float64 // tolerances
	MaxIterations                  int
	Restart                        int  // directions that gmres keeps
	Blocks                         int  // of bjacobi
	InitialGuess                   bool // the solution's vector has one
	MustConverge                   bool // failure is an error
	Monitor                        func(iteration int, residual float64) error
	PETSc                          string // options
	NearNull                       [][]Vector
	Null                           []NullSpace // of a singular operator
	Split                          FieldSplit
}

// NullSpace is vectors that the operator maps to zero.
type NullSpace struct {
	Part    int        // of the vectors, which are zero in the others; AnyPart: they have all parts
	Vectors [][]Vector // each a list of its parts; nil for the constants in each component
}

// AnyPart stands for all parts of the unknowns.
const AnyPart = algebra.AnyPart

// Defaults returns the configuration without options.
func Defaults() Config {
	return Config{
		Engine: "native", Method: "cg", Preconditioner: "jacobi",
		RTol: 1e-7, ATol: 1e-50, DivTol: 1e4, MaxIterations: 10000, Restart: 30, Blocks: 16, MustConverge: true,
		Split: FieldSplit{Kind: "multiplicative", Precondition: "a11"},
	}
}

// Check returns an error for values that are out of range, and for names that the engine does not
// know; it replaces PETSc's names by ours.
func (c *Config) Check() error {
	for _, t := range []struct {
		name  string
		value float64
	}{{"relative tolerance", c.RTol}, {"absolute tolerance", c.ATol}} {
		if !(t.value >= 0) || math.IsInf(t.value, 0) {
			return fmt.Errorf("op2: solver: the %s is %g: a number from 0 is needed", t.name, t.value)
		}
	}
	switch {
	case c.RTol >= 1:
		return fmt.Errorf("op2: solver: the relative tolerance is %g: a number below 1 is needed", c.RTol)
	case c.MaxIterations < 0:
		return fmt.Errorf("op2: solver: at most %d iterations: a number from 0 is needed", c.MaxIterations)
	case c.Restart < 1:
		return fmt.Errorf("op2: solver: a restart after %d directions: at least 1 is needed", c.Restart)
	case c.Blocks < 1:
		return fmt.Errorf("op2: solver: %d blocks: at least 1 is needed", c.Blocks)
	}
	if !slices.Contains(splitKinds, c.Split.Kind) {
		return notOne("type of field split", c.Split.Kind, splitKinds, "")
	}
	switch c.Engine {
	case "petsc":
		if given := strings.Fields(c.PETSc); len(given) > 0 && !strings.HasPrefix(given[0], "-") {
			return fmt.Errorf("op2: solver: the options of PETSc begin with %q\n  hint: each begins with a dash, as on PETSc's command line: -pc_type gamg", given[0])
		}
		return nil
	case "native":
	default:
		return notOne("solver engine", c.Engine, tune.Engines, "")
	}
	if canonical(&c.Method, map[string]string{"bcgs": "bicgstab"}); !slices.Contains(nativeMethods, c.Method) {
		more := "; the engine petsc has more"
		if slices.Contains(factorizations, strings.ToLower(c.Method)) {
			more += ", and factorizes matrices: solver.PETSc, solver.PreOnly, solver.Preconditioner(\"lu\")"
		}
		return notOne("native method", c.Method, nativeMethods, more)
	}
	if canonical(&c.Preconditioner, map[string]string{"sor": "ssor"}); !slices.Contains(nativePreconditioners, c.Preconditioner) {
		return notOne("native preconditioner", c.Preconditioner, nativePreconditioners, "; the engine petsc has more")
	}
	if s := &c.Split; c.Preconditioner != "fieldsplit" && (s.Fields != nil || s.Options != nil || s.Precondition != Defaults().Split.Precondition) {
		return fmt.Errorf("op2: solver: options of splits are for the preconditioner fieldsplit, this one is %s\n  hint: solver.FieldSplit", c.Preconditioner)
	}
	if c.PETSc != "" {
		return fmt.Errorf("op2: solver: options of PETSc are for the engine petsc, this one is native\n  hint: solver.PETSc")
	}
	if c.NearNull != nil {
		return fmt.Errorf("op2: solver: near null spaces are for the engine petsc, this one is native\n  hint: solver.PETSc")
	}
	return nil
}

var (
	nativeMethods         = []string{"cg", "bicgstab", "minres", "gmres", "fgmres", "preonly"}
	nativePreconditioners = []string{"none", "jacobi", "pbjacobi", "bjacobi", "ilu", "ssor", "fieldsplit"}
)

// factorizations are names of direct solvers, which people look for among the methods.
var factorizations = []string{"lu", "cholesky", "direct", "mumps", "superlu", "umfpack", "pardiso"}

// canonical replaces another engine's name for something by ours.
func canonical(name *string, names map[string]string) {
	if n, ok := names[*name]; ok {
		*name = n
	}
}

// notOne returns the error for an unknown name.
func notOne(kind, name string, names []string, more string) error {
	return fmt.Errorf("op2: there is no %s %q%s\n  hint: there are %s%s", kind, name, spell.DidYouMean(name, names), strings.Join(names, ", "), more)
}

// FieldSplit is the configuration of the preconditioner fieldsplit, by PETSc's names: it solves, or
// preconditions, for some parts of the unknowns after others.
type FieldSplit struct {
	Kind         string         // "schur-upper": a Schur complement, with the factors D U of L D U
	Precondition string         // of a Schur complement: what it is preconditioned with: a11, selfp or user
	Matrix       *Blocks        // if that is user
	Fields       [][]int        // the parts of each split; nil: each part is one
	Options      []SplitOptions // of the splits' own solvers, in order
}

// SplitOptions are options of a split's solver.
type SplitOptions struct {
	Split int
	Apply func(*Config)
}

var splitKinds = []string{"additive", "multiplicative", "symmetric_multiplicative", "schur", "schur-diag", "schur-lower", "schur-upper"}

// Methods and preconditioners that require a symmetric matrix, by PETSc's names. With another one,
// the methods' results or convergence are unreliable; the preconditioners read only one triangle of
// the matrix, and would silently solve another system.
var (
	symmetricMethods = []string{"cg", "fcg", "pipecg", "pipecgrr", "pipecg2", "pipefcg", "pipelcg", "groppcg", "cr", "pipecr", "minres", "symmlq",
		"nash", "stcg", "gltr", "qcg"}
	triangularPreconditioners = []string{"cholesky", "icc"}
)
