package kernels

import (
	_ "embed"
	"math/rand/v2"

	"github.com/go-op2/op2"
)

//go:embed euler.go
var eulerSource string

//go:embed limiters.go
var limitersSource string

//go:embed water.go
var waterSource string

//go:embed elasticity.go
var elasticitySource string

//go:embed fem.go
var femSource string

//go:embed geometry.go
var geometrySource string

//go:embed particles.go
var particlesSource string

//go:embed gases.go
var gasesSource string

//go:embed fields.go
var fieldsSource string

//go:embed graphs.go
var graphsSource string

var source = op2.Kernels(eulerSource, limitersSource, waterSource, elasticitySource, femSource, geometrySource,
	particlesSource, gasesSource, fieldsSource, graphsSource)

// Loop is one loop of the corpus, over about as many elements as New was given.
type Loop struct {
	Kernel *op2.Kernel
	Over   *op2.Set
	Args   []op2.Arg
}

// New declares the corpus on a runtime. Sets have about n elements; those of boundaries, particles
// and corners of elements have fewer. It returns the loops, and all data.
func New(rt *op2.Runtime, n int) ([]Loop, []*Field, error) {
	c := &corpus{rt: rt, cached: map[string]any{}, first: map[string][]float64{}}
	op2.NewConst(c.rt, "gravity", &gravity)
	op2.NewConst(c.rt, "cfl", &cfl)
	for _, declare := range []func(int){c.plane, c.space, c.stencils, c.box, c.web} {
		declare(n)
		if err := c.rt.Err(); err != nil {
			return nil, nil, err
		}
	}
	return c.loops(), c.fields, c.rt.Err()
}

// loops returns the table.
func (c *corpus) loops() []Loop {
	var all []Loop
	add := func(over *op2.Set, kernel any, args ...op2.Arg) {
		all = append(all, Loop{source.Func(kernel), over, args})
	}
	left, right := c.edge2cell.At(0), c.edge2cell.At(1)
	inner := c.bedge2cell.At(0)
	a, b := c.pair2particle.At(0), c.pair2particle.At(1)
	from, to := c.link2page.At(0), c.link2page.At(1)

	// Euler
	q, n, nb := c.euler(), c.normals(c.edges), c.normals(c.bedges)
	w, old, res := c.some(c.cells, 4, "w"), c.some(c.cells, 4, "old"), c.signed(c.cells, 4, "res")
	q32, n32, w32, res32 := c.like(q), c.like(n), c.some32(c.cells, 4, "w"), c.some32(c.cells, 4, "res")
	area, s1 := c.some(c.cells, 1, "area"), c.some(c.cells, 1, "s")
	for _, flux := range []any{rusanov, hll, hllNamed, hllMinMax, hllc, roe, ausm, vanLeerSplit} {
		add(c.edges, flux, n.Read(), q.Read(left), q.Read(right), res.Inc(left), res.Inc(right))
	}
	add(c.edges, rusanov32, n32.Read(), q32.Read(left), q32.Read(right), res32.Inc(left), res32.Inc(right))
	add(c.bedges, slipWall, nb.Read(), q.Read(inner), res.Inc(inner))
	add(c.bedges, farField, nb.Read(), q.Read(inner), res.Inc(inner))
	add(c.cells, primitive, q.Read(), w.Write())
	add(c.cells, primitive32, q32.Read(), w32.Write())
	add(c.cells, stepSize, q.Read(), area.Read(), c.global("dt", 1e9).Min())
	add(c.cells, waveSpeed, q.Read(), c.global("fastest", 0).Max())
	add(c.edges, spectralRadius, n.Read(), q.Read(left), q.Read(right), s1.Inc(left), s1.Inc(right))

	// Limiters and reconstruction
	u, u4, slope := c.some(c.grid, 1, "u"), c.some(c.grid, 4, "u"), c.some(c.grid, 1, "slope")
	u32, slope32 := c.some32(c.grid, 1, "u"), c.some32(c.grid, 1, "slope")
	for _, limiter := range []any{vanLeerSlope, minmodSlope, superbeeSlope, weno3, weno5, eno2} {
		add(c.grid, limiter, u.Read(c.row5), slope.Write())
	}
	add(c.grid, weno5x32, u32.Read(c.row5), slope32.Write())
	add(c.grid, weno5z, u4.Read(c.row5), c.some(c.grid, 4, "slope").Write())
	add(c.grid, ppm, u.Read(c.row5), c.some(c.grid, 2, "slope").Write())
	add(c.grid, central6, u.Read(c.row7), slope.Write())
	differences, others := c.signed(c.cells, 4, "a"), c.signed(c.cells, 4, "b")
	add(c.cells, vanAlbada, differences.Read(), others.Read(), w.Write())
	add(c.cells, monotonized, differences.Read(), others.Read(), w.Write())
	grad, r := c.signed(c.cells, 8, "grad"), c.signed(c.cells, 6, "r")
	add(c.cells, barthJespersen, old.Read(), old.Read(c.cell2cell), grad.Read(), r.Read(), w.Write())
	add(c.cells, venkatakrishnan, old.Read(), old.Read(c.cell2cell), grad.Read(), r.Read(), area.Read(), w.Write())
	center := c.some(c.cells, 2, "center")
	add(c.edges, muscl, c.some(c.edges, 2, "middle").Read(), center.Read(left), center.Read(right), old.Read(left), old.Read(right),
		grad.Read(left), grad.Read(right), c.some(c.edges, 4, "left").Write(), c.some(c.edges, 4, "right").Write())

	// Shallow water
	h, res3 := c.water(), c.signed(c.cells, 3, "res")
	x := c.coordinates()
	for _, flux := range []any{waterHLL, waterRoe} {
		add(c.edges, flux, n.Read(), h.Read(left), h.Read(right), res3.Inc(left), res3.Inc(right))
	}
	add(c.edges, waterBalanced, n.Read(), h.Read(left), h.Read(right), area.Read(left), area.Read(right), res3.Inc(left), res3.Inc(right))
	bed := c.some(c.nodes, 1, "bed")
	add(c.cells, waterSlope, x.Read(c.cell2node), bed.Read(c.cell2node), h.Read(), res3.Inc())
	add(c.cells, waterFriction, h.RW())
	add(c.cells, waterUpdate, area.Read(), res3.RW(), h.RW())
	add(c.cells, waterStep, area.Read(), h.Read(), c.global("water dt", 1e9).Min())
	add(c.cells, coriolis, s1.Read(), h.RW())

	// Elasticity
	disp, force := c.signed(c.nodes, 2, "u"), c.signed(c.nodes, 2, "f")
	strain, stress := c.signed(c.cells, 3, "strain"), c.signed(c.cells, 3, "stress")
	add(c.cells, strainP1, x.Read(c.cell2node), disp.Read(c.cell2node), strain.Write())
	add(c.cells, planeStress, strain.Read(), stress.Write(), s1.Write())
	add(c.cells, forceP1, x.Read(c.cell2node), disp.Read(c.cell2node), force.Inc(c.cell2node))
	add(c.cells, stiffnessP1, x.Read(c.cell2node), c.some(c.cells, 36, "k").Write())
	add(c.quads, forceQ1, x.Read(c.quad2node), disp.Read(c.quad2node), force.Inc(c.quad2node))
	x3, disp3, force3 := c.coordinates3(), c.signed(c.corners, 3, "u"), c.signed(c.corners, 3, "f")
	add(c.hexes, forceHex, x3.Read(c.hex2corner), disp3.Read(c.hex2corner), force3.Inc(c.hex2corner))
	small := dat(c, c.corners, 3, "small displacements", func(_, _ int, r *rand.Rand) float64 { return 1e-3 * r.Float64() })
	add(c.tets, neoHookean, x3.Read(c.tet2corner), small.Read(c.tet2corner), force3.Inc(c.tet2corner))
	strain6 := dat(c, c.cells, 6, "strain in space", func(_, _ int, r *rand.Rand) float64 { return 0.01 * (r.Float64() - 0.5) })
	plastic := dat(c, c.cells, 6, "plastic strain", func(_, _ int, r *rand.Rand) float64 { return 0.002 * (r.Float64() - 0.5) })
	add(c.cells, returnMap, strain6.Read(), plastic.RW(), s1.RW(), c.some(c.cells, 6, "stress").Write())

	// Finite elements
	un, yn := c.some(c.nodes, 1, "u"), c.some(c.nodes, 1, "y")
	un32, yn32 := c.some32(c.nodes, 1, "u"), c.some32(c.nodes, 1, "y")
	uc, yc := c.some(c.corners, 1, "u"), c.some(c.corners, 1, "y")
	for _, operator := range []any{massP1, laplaceP1} {
		add(c.cells, operator, x.Read(c.cell2node), un.Read(c.cell2node), yn.Inc(c.cell2node))
	}
	add(c.cells, laplaceP1x32, c.like(x).Read(c.cell2node), un32.Read(c.cell2node), yn32.Inc(c.cell2node))
	add(c.cells, matrixP1, x.Read(c.cell2node), c.some(c.cells, 9, "k").Write())
	up, yp := c.some(c.points, 1, "u"), c.some(c.points, 1, "y")
	xp := dat(c, c.points, 2, "x of points", func(i, d int, r *rand.Rand) float64 { return r.Float64() + float64((i%3)*(1+d)) })
	add(c.cells, laplaceP2, xp.Read(c.cell2point), up.Read(c.cell2point), yp.Inc(c.cell2point))
	add(c.quads, laplaceQ1, x.Read(c.quad2node), un.Read(c.quad2node), yn.Inc(c.quad2node))
	for _, operator := range []any{laplaceTet, massTet} {
		add(c.tets, operator, x3.Read(c.tet2corner), uc.Read(c.tet2corner), yc.Inc(c.tet2corner))
	}
	add(c.hexes, laplaceHex, x3.Read(c.hex2corner), uc.Read(c.hex2corner), yc.Inc(c.hex2corner))
	add(c.cells, supg, x.Read(c.cell2node), center.Read(), un.Read(c.cell2node), yn.Inc(c.cell2node))
	add(c.cells, loadP1, x.Read(c.cell2node), yn.Inc(c.cell2node))
	diagonal := func(i, d, rows int, r *rand.Rand) float64 { // matrices that can be inverted
		v := 0.2 * r.Float64()
		if d%(rows+1) == 0 {
			v += 1
		}
		return v
	}
	jacobian2 := dat(c, c.cells, 4, "jacobians", func(i, d int, r *rand.Rand) float64 { return diagonal(i, d, 2, r) })
	jacobian3 := dat(c, c.cells, 9, "jacobians in space", func(i, d int, r *rand.Rand) float64 { return diagonal(i, d, 3, r) })
	add(c.cells, inverse2, jacobian2.Read(), w.Write(), s1.Write())
	add(c.cells, inverse3, jacobian3.Read(), c.some(c.cells, 9, "inverse").Write(), s1.Write())

	// Geometry
	add(c.cells, triangleArea, x.Read(c.cell2node), s1.Write())
	add(c.edges, edgeNormal, x.Read(c.edge2node.At(0)), x.Read(c.edge2node.At(1)), c.some(c.edges, 3, "normal").Write())
	add(c.cells, circumcenter, x.Read(c.cell2node), stress.Write())
	add(c.cells, quality, x.Read(c.cell2node), s1.Write())
	add(c.cells, worstQuality, x.Read(c.cell2node), c.global("worst", 1).Min())
	tet := c.tet2corner
	volume := c.some(c.tets, 1, "volume")
	add(c.tets, tetVolume, x3.Read(tet.At(0)), x3.Read(tet.At(1)), x3.Read(tet.At(2)), x3.Read(tet.At(3)), volume.Write())
	add(c.wedges, wedgeVolume, x3.Read(c.wedge2corner), c.some(c.wedges, 1, "volume").Write())
	add(c.wedges, pyramidVolume, x3.Read(c.pyramid2corner), c.some(c.wedges, 1, "volume").Write())
	add(c.hexes, hexVolume, x3.Read(c.hex2corner), c.some(c.hexes, 1, "volume").Write())
	add(c.faces, faceArea, x3.Read(c.face2corner), c.some(c.faces, 3, "area").Write(), c.some(c.faces, 3, "center").Write())
	add(c.faces, vertexNormals, x3.Read(c.face2corner), force3.Inc(c.face2corner))
	add(c.tets, dihedralAngle, x3.Read(tet), volume.Write())
	found := dat(c, c.cells, 1, "found", func(int, int, *rand.Rand) int32 { return 0 })
	add(c.cells, inside, x.Read(c.cell2node), center.Read(), stress.Write(), found.Write())
	add(c.corners, boundingBox, x3.Read(), c.global("low", 9, 9, 9).Min(), c.global("high", -9, -9, -9).Max())
	add(c.corners, rotate, c.global("rotation", 0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6).Read(), x3.Read(), force3.Write())

	// Particles
	at, v, f := c.positions(), c.signed(c.particles, 3, "v"), c.signed(c.particles, 3, "f")
	mass, rho := c.some(c.particles, 1, "mass"), c.some(c.particles, 1, "rho")
	add(c.pairs, lennardJones, at.Read(a), at.Read(b), f.Inc(a), f.Inc(b), c.global("energy", 0).Inc())
	f32 := c.some32(c.particles, 3, "f")
	add(c.pairs, lennardJones32, c.like(at).Read(a), c.like(at).Read(b), f32.Inc(a), f32.Inc(b))
	add(c.particles, lennardJonesGather, at.Read(), at.Read(c.near8), f.Write())
	add(c.pairs, coulomb, at.Read(a), at.Read(b), mass.Read(a), mass.Read(b), f.Inc(a), f.Inc(b))
	for _, bond := range []any{morse, spring} {
		add(c.pairs, bond, at.Read(a), at.Read(b), f.Inc(a), f.Inc(b))
	}
	add(c.pairs, contact, at.Read(a), at.Read(b), v.Read(a), v.Read(b), f.Inc(a), f.Inc(b))
	add(c.particles, bend, at.Read(c.triple), f.Inc(c.triple))
	add(c.pairs, sphDensity, at.Read(a), at.Read(b), mass.Read(a), mass.Read(b), rho.Inc(a), rho.Inc(b))
	add(c.pairs, sphMomentum, at.Read(a), at.Read(b), mass.Read(a), mass.Read(b), f.Inc(a), f.Inc(b))
	add(c.particles, verlet, f.Read(), v.RW(), at.RW())
	add(c.particles, bounce, v.RW(), at.RW())
	add(c.cells, boris, strain.Read(), res3.Read(), stress.RW())
	add(c.particles, deposit, at.Read(), mass.Read(), yc.Inc(c.particle2hex8))
	add(c.cells, dispersed, strain.Read(), stress.RW())

	// Gases, turbulence, chemistry
	p, t, e := c.some(c.cells, 1, "p"), c.some(c.cells, 1, "t"), c.some(c.cells, 1, "e")
	add(c.cells, stiffened, t.Read(), e.Read(), p.Write(), s1.Write())
	add(c.cells, waals, t.Read(), e.Read(), p.Write())
	add(c.cells, tait, t.Read(), p.Write())
	add(c.cells, gruneisen, t.Read(), e.Read(), p.Write())
	entries := make([]float64, 64)
	for i := range entries {
		entries[i] = float64(i*i) / 64
	}
	add(c.cells, table, c.global("table", entries...).Read(), t.Read(), p.Write())
	for _, law := range []any{saturation, temperature, nasa, sutherland} {
		add(c.cells, law, t.Read(), p.Write())
	}
	turb := c.some(c.cells, 2, "turb")
	add(c.cells, kEpsilon, grad.Read(), turb.Read(), c.some(c.cells, 2, "source").Write())
	add(c.cells, sst, turb.Read(), t.Read(), p.Write())
	add(c.cells, spalart, t.Read(), e.Read(), area.Read(), p.Write())
	add(c.cells, smagorinsky, area.Read(), grad.Read(), p.Write())
	add(c.cells, wallFunction, t.Read(), e.Read(), p.Write())
	species := c.some(c.cells, 3, "species")
	add(c.cells, arrhenius, t.Read(), species.Read(), res3.Write())
	add(c.cells, brusselator, t.Read(), e.Read(), p.Write(), s1.Write())
	add(c.cells, robertson, species.RW())
	add(c.cells, boltzmann, c.some(c.cells, 9, "distribution").RW())

	// Fields
	grad2, normal := c.some(c.cells, 2, "grad"), c.some(c.cells, 5, "normal equations")
	add(c.edges, greenGauss, n.Read(), t.Read(left), t.Read(right), grad2.Inc(left), grad2.Inc(right))
	add(c.edges, leastSquares, center.Read(left), center.Read(right), t.Read(left), t.Read(right), normal.Inc(left), normal.Inc(right))
	add(c.cells, solveSquares, dat(c, c.cells, 5, "squares", func(_, d int, r *rand.Rand) float64 { return []float64{1, 0.2, 1, 0, 0}[d] + 0.5*r.Float64() }).Read(), grad2.Write())
	symmetric := dat(c, c.cells, 9, "symmetric", func(i, d int, r *rand.Rand) float64 {
		return []float64{4, 1, 0.5, 1, 5, 0.7, 0.5, 0.7, 6}[d]
	})
	add(c.cells, solve3, symmetric.Read(), species.Read(), stress.Write())
	add(c.cells, gradientP1, x.Read(c.cell2node), un.Read(c.cell2node), grad2.Write())
	add(c.cells, average, area.Read(), old.Read(), c.some(c.nodes, 4, "sums").Inc(c.cell2node))
	add(c.cells, interpolate, c.some(c.nodes, 4, "sums").Read(c.cell2node), w.Write())
	coefficient, flow := c.some(c.edges, 1, "coefficient"), c.signed(c.edges, 1, "flow")
	add(c.edges, diffuse, coefficient.Read(), t.Read(left), t.Read(right), p.Inc(left), p.Inc(right))
	add(c.edges, upwind, flow.Read(), t.Read(left), t.Read(right), p.Inc(left), p.Inc(right))
	add(c.edges, relax, coefficient.Read(), p.RW(left), p.RW(right))
	add(c.cells, saveOld, q.Read(), w.Write())
	add(c.cells, rungeKutta, old.Read(), res.Read(), w.RW())
	add(c.cells, lowStorage, area.Read(), res.RW(), w.RW(), old.RW())
	add(c.cells, updateNorm, old.Read(), res.RW(), w.Write(), c.global("step", 1e-3).Read(), c.global("norm", 0).Inc())
	add(c.cells, pointImplicit, turb.Read(), grad2.RW())
	add(c.cells, axpy, c.global("a", 0.5).Read(), t.Read(), p.RW())
	a32 := c.some32(c.cells, 1, "x")
	add(c.cells, axpy32, op2.NewGlobal(c.rt, []float32{0.5}, "a, float32").Read(), a32.Read(), c.some32(c.cells, 1, "y").RW())
	add(c.cells, dot, t.Read(), e.Read(), c.global("sum", 0).Inc())
	add(c.cells, norm2, q.Read(), c.global("norm2", 0).Inc())
	add(c.cells, normMax, t.Read(), c.global("most", 0).Max())
	add(c.cells, range4, q.Read(), c.global("lowest", 9, 9, 9, 9).Min(), c.global("highest", -9, -9, -9, -9).Max())
	add(c.cells, kinetic, area.Read(), q.Read(), c.global("mass", 0).Inc(), c.global("kinetic energy", 0).Inc())
	add(c.cells, clip, p.RW())
	add(c.cells, sigmoid, t.Read(), p.Write())
	add(c.grid, godunov, u.Read(c.cross5), c.signed(c.grid, 1, "speed").Read(), slope.Write())
	add(c.cells, heaviside, t.Read(), p.Write())
	add(c.grid, maxwell, u.Read(c.cross5), c.some(c.grid, 2, "magnetic").RW())
	add(c.cells, richards, c.signed(c.cells, 1, "head").Read(), p.Write())

	// Graphs and images
	rank, sum := c.some(c.pages, 1, "rank"), c.some(c.pages, 1, "sum")
	out := dat(c, c.pages, 1, "out", func(int, int, *rand.Rand) float64 { return 8 })
	add(c.links, pagePush, rank.Read(from), out.Read(from), sum.Inc(to))
	add(c.pages, pageUpdate, sum.RW(), rank.RW(), c.global("change", 0).Inc())
	add(c.links, graphLaplace, c.some(c.links, 1, "weight").Read(), rank.Read(from), rank.Read(to), sum.Inc(from), sum.Inc(to))
	count := dat(c, c.pages, 1, "count", func(int, int, *rand.Rand) int32 { return 0 })
	label := dat(c, c.pages, 1, "label", func(i, _ int, _ *rand.Rand) int32 { return int32(i) })
	lowest := dat(c, c.pages, 1, "lowest label", func(i, _ int, _ *rand.Rand) int32 { return int32(i) })
	add(c.links, degree, count.Inc(from), count.Inc(to))
	add(c.links, component, label.Read(from), label.Read(to), lowest.Min(from), lowest.Min(to))
	add(c.grid, blur, u32.Read(c.cross5), slope32.Write())
	add(c.grid, sobel, u32.Read(c.ring8), slope32.Write())
	add(c.grid, median, u32.Read(c.cross5), slope32.Write())
	for _, filter := range []any{peronaMalik, bilateral} {
		add(c.grid, filter, u.Read(c.cross5), slope.Write())
	}
	alive := dat(c, c.grid, 1, "alive", func(_, _ int, r *rand.Rand) int32 { return r.Int32N(2) })
	next := dat(c, c.grid, 1, "next", func(_, _ int, r *rand.Rand) int32 { return r.Int32N(2) })
	add(c.grid, life, alive.Read(), alive.Read(c.ring8), next.Write())
	rgb := dat(c, c.grid, 3, "rgb", func(_, _ int, r *rand.Rand) uint8 { return uint8(r.IntN(256)) })
	add(c.grid, luma, rgb.Read(), dat(c, c.grid, 1, "gray", func(int, int, *rand.Rand) uint8 { return 0 }).Write())
	state := dat(c, c.grid, 1, "state", func(_, _ int, r *rand.Rand) uint64 { return r.Uint64() | 1 })
	add(c.grid, random, state.RW(), slope.Write())
	add(c.grid, mandelbrot, c.signed(c.grid, 2, "c").Read(), next.Write())
	add(c.cells, classify, q.Read(), found.Write())
	return all
}
