package kernel

import "testing"

// resCalcLike has the size of airfoil's res_calc: 40 statements, straight on.
func resCalcLike() *Kernel {
	x1, x2 := newVar("x1", ptr(arr(2, f64))), newVar("x2", ptr(arr(2, f64)))
	q1, q2 := newVar("q1", ptr(arr(4, f64))), newVar("q2", ptr(arr(4, f64)))
	r1, r2 := newVar("r1", ptr(arr(4, f64))), newVar("r2", ptr(arr(4, f64)))
	dx, dy, f := newVar("dx", f64), newVar("dy", f64), newVar("f", f64)
	body := []Stmt{
		let(dx, bin(Sub, at(x1, 0), at(x2, 0))),
		let(dy, bin(Sub, at(x1, 1), at(x2, 1))),
		zero(f),
	}
	for i := range 12 {
		c := i % 4
		body = append(body,
			set(f, bin(Mul, 0.5, bin(Add,
				bin(Mul, dx, bin(Add, at(q1, c), at(q2, c))),
				bin(Mul, dy, bin(Sub, at(q1, c), at(q2, c)))))),
			incr(at(r1, c), f),
			decr(at(r2, c), f))
	}
	return program(nil, []*Var{x1, x2, q1, q2, r1, r2}, body...)
}

func BenchmarkAnalyzeResCalc(b *testing.B) {
	k := resCalcLike()
	for b.Loop() {
		Analyze(k, nil)
	}
}

// Nested loops of 10 iterations each, three deep, with ten statements in the innermost.
func BenchmarkAnalyzeNestedLoops(b *testing.B) {
	m := newVar("m", ptr(arr(10, arr(10, f64))))
	v := newVar("v", ptr(arr(10, f64)))
	i, j, l := newVar("i", i64), newVar("j", i64), newVar("l", i64)
	var body []Stmt
	for range 5 {
		body = append(body,
			incr(at(m, i, j), bin(Mul, at(v, i), at(v, l))),
			when(bin(Lt, i, j)))
	}
	k := program(nil, []*Var{m, v}, upTo(i, 0, 10, upTo(j, 0, 10, upTo(l, 0, 10, body...))))
	for b.Loop() {
		Analyze(k, nil)
	}
}

// A loop whose iterations use up the budget.
func BenchmarkAnalyzeOverBudget(b *testing.B) {
	x := newVar("x", ptr(arr(3, f64)))
	i := newVar("i", i64)
	k := program(nil, []*Var{x}, upTo(i, 0, 1_000_000, incr(at(x, bin(Rem, i, 3)), 1.0)))
	for b.Loop() {
		Analyze(k, nil)
	}
}
