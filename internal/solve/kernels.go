package solve

import (
	_ "embed"

	"github.com/go-op2/op2/internal/userkernel"
)

//go:embed kernels.go
var kernelSource string

// kernels are the operations of the native solvers on one value of each vector. They are
// fused as the methods in internal/krylov need them, to minimize reads and writes of vectors.
var kernels = func() (k struct {
	zero, copied, invert, scale, add, multiply, dot, dots, remain, descend, advance, advanceBy, direct, stabilize, project, combine *userkernel.Kernel
}) {
	s := userkernel.OwnKernels(kernelSource)
	k.zero, k.copied, k.invert = s.Func(solverZero), s.Func(solverCopy), s.Func(solverInvert).Alone()
	k.scale, k.add = s.Func(solverScale), s.Func(solverAdd)
	k.multiply, k.dot, k.dots = s.Func(solverMultiply), s.Func(solverDot).Alone(), s.Func(solverDots)
	k.remain, k.descend = s.Func(solverRemain), s.Func(solverDescend)
	k.advance, k.advanceBy = s.Func(solverAdvance), s.Func(solverAdvanceBy)
	k.direct, k.stabilize = s.Func(solverDirect), s.Func(solverStabilize)
	k.project, k.combine = s.Func(solverProject), s.Func(solverCombine)
	return k
}()

func solverZero(x *float64) { *x = 0 }

func solverCopy(y, x *float64) { *y = *x }

// First is the first row whose value is zero.
func solverInvert(inverse, diagonal *float64, row *int, first *int64) {
	*inverse = 1 / *diagonal
	if *diagonal == 0 && int64(*row) < *first {
		*first = int64(*row)
	}
}

func solverScale(y, x, a *float64) { *y = *a * *x }

func solverAdd(z, x, y, a *float64) { *z = *x + *a**y }

func solverMultiply(z, d, r *float64) { *z = *d * *r }

func solverDot(x, y, sum *float64) { *sum += *x * *y }

func solverDots(x, y *float64, sums *[2]float64) {
	sums[0] += *x * *y
	sums[1] += *x * *x
}

func solverRemain(r, w, alpha, sum *float64) {
	left := *r - *alpha**w
	*r = left
	*sum += left * left
}

func solverDescend(r, d, w, alpha *float64, sums *[2]float64) {
	left := *r - *alpha**w
	preconditioned := *d * left
	*r = left
	sums[0] += preconditioned * left
	sums[1] += preconditioned * preconditioned
}

// Steps are alpha and beta.
func solverAdvance(x, p, z *float64, steps *[2]float64) {
	*x += steps[0] * *p
	*p = *z + steps[1]**p
}

// Steps are alpha and beta.
func solverAdvanceBy(x, p, d, r *float64, steps *[2]float64) {
	*x += steps[0] * *p
	*p = *d**r + steps[1]**p
}

// Steps are beta and omega.
func solverDirect(p, r, v *float64, steps *[2]float64) {
	*p = *r + steps[0]*(*p-steps[1]**v)
}

// Steps are alpha and omega.
func solverStabilize(x, r, p, s, t, q *float64, steps, sums *[2]float64) {
	left := *s - steps[1]**t
	*x += steps[0]**p + steps[1]**s
	*r = left
	sums[0] += left * *q
	sums[1] += left * left
}

func solverProject(w, v0, v1, v2, v3 *float64, dots *[4]float64) {
	dots[0] += *w * *v0
	dots[1] += *w * *v1
	dots[2] += *w * *v2
	dots[3] += *w * *v3
}

func solverCombine(w, v0, v1, v2, v3 *float64, a *[4]float64, sum *float64) {
	u := *w + a[0]**v0 + a[1]**v1 + a[2]**v2 + a[3]**v3
	*w = u
	*sum += u * u
}
