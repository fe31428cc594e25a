package kernels

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/go-op2/op2"
)

// The estimate's decision for each kernel: on which registers it uses packs, or why not. go run
// ./bench -kernels measures whether that is right; after changing the estimate, review the
// differences here.
func TestEstimate(t *testing.T) {
	rt, err := op2.Open(op2.Static(), op2.WithBackend("sequential"))
	if err != nil {
		t.Fatal(err)
	}
	loops, _, err := New(rt, elements)
	if err != nil {
		t.Fatal(err)
	}
	runs := regexp.MustCompile(`(?m)^// It runs (.*)\.$`)
	numbers := regexp.MustCompile(` elements| with [A-Z0-9.-]+( or NEON)?`)
	var got strings.Builder
	for _, l := range loops {
		prepared := op2.NewLoop(l.Kernel, l.Over, l.Args...)
		text, err := prepared.Generate()
		if err != nil {
			t.Fatal(err)
		}
		how := runs.FindStringSubmatch(text)
		if how == nil {
			t.Fatalf("the text does not say how it runs:\n%s", text)
		}
		decision := strings.TrimPrefix(how[1], "one element at a time: ")
		if decision == how[1] {
			decision = numbers.ReplaceAllString(decision, "")
		}
		fmt.Fprintf(&got, "%s: %s\n", l.Kernel.Name(), decision)
	}
	g, w := strings.Split(got.String(), "\n"), strings.Split(strings.TrimPrefix(estimates, "\n"), "\n")
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			t.Fatalf("line %d differs; got:\n%s", i+1, got.String())
		}
	}
}

const estimates = `
rusanov: packs of 8, 4, 2
hll: packs of 8, 4, 2
hllNamed: packs of 8, 4, 2
hllMinMax: packs of 8, 4, 2
hllc: packs of 8, 4, 2
roe: packs of 8, 4, 2
ausm: packs of 8, 4, 2
vanLeerSplit: packs of 8, 4, 2
rusanov32: packs of 16, 8, 4
slipWall: packs of 8, 4, 2
farField: packs of 8, 4, 2
primitive: compilers vectorize it
primitive32: compilers vectorize it
stepSize: packs of 8, 4, 2
waveSpeed: packs of 8, 4, 2
spectralRadius: packs of 8, 4, 2
vanLeerSlope: packs of 8, 4
minmodSlope: packs of 8, 4, 2
superbeeSlope: packs of 8, 4, 2
weno3: packs of 8, 4, 2
weno5: packs of 8, 4, 2
eno2: packs of 8, 4, 2
weno5x32: packs of 16, 8, 4
weno5z: packs of 8, 4, 2
ppm: packs of 8, 4, 2
central6: packs of 8, 4, 2
vanAlbada: compilers vectorize it
monotonized: compilers vectorize it
barthJespersen: packs of 8, 4, 2
venkatakrishnan: packs of 8, 4, 2
muscl: packs of 8, 4, 2
waterHLL: packs of 8, 4, 2
waterRoe: packs of 8, 4, 2
waterBalanced: packs of 8, 4, 2
waterSlope: packs of 8, 4, 2
waterFriction: packs of 8, 4, 2
waterUpdate: packs of 8, 4, 2
waterStep: packs of 8, 4, 2
coriolis: compilers vectorize it
strainP1: packs of 8, 4, 2
planeStress: compilers vectorize it
forceP1: packs of 8, 4, 2
stiffnessP1: moves more than it computes
forceQ1: packs of 8, 4, 2
forceHex: packs of 8, 4, 2
neoHookean: packs of 8, 4, 2
returnMap: packs of 8, 4, 2
massP1: packs of 8, 4
laplaceP1: packs of 8, 4, 2
laplaceP1x32: packs of 16, 8, 4
matrixP1: packs of 8, 4, 2
laplaceP2: packs of 8, 4, 2
laplaceQ1: packs of 8, 4, 2
laplaceTet: packs of 8, 4, 2
massTet: packs of 8, 4, 2
laplaceHex: packs of 8, 4, 2
supg: packs of 8, 4, 2
loadP1: packs of 8, 4, 2
inverse2: compilers vectorize it
inverse3: packs of 8, 4, 2
triangleArea: packs of 8, 4
edgeNormal: packs of 8, 4, 2
circumcenter: packs of 8, 4, 2
quality: packs of 8, 4, 2
worstQuality: packs of 8, 4, 2
tetVolume: packs of 8, 4, 2
wedgeVolume: packs of 8, 4, 2
pyramidVolume: packs of 8, 4, 2
hexVolume: packs of 8, 4, 2
faceArea: packs of 8, 4
vertexNormals: packs of 8, 4, 2
dihedralAngle: packs of 8, 4, 2
inside: packs of 8, 4, 2
boundingBox: packs of 8, 4, 2
rotate: compilers vectorize it
lennardJones: moves more than it computes
lennardJones32: moves more than it computes
lennardJonesGather: packs of 8, 4, 2
coulomb: packs of 8, 4, 2
morse: packs of 8, 4, 2
spring: packs of 8, 4, 2
contact: moves more than it computes
bend: packs of 8, 4, 2
sphDensity: packs of 8, 4, 2
sphMomentum: moves more than it computes
verlet: compilers vectorize it
bounce: packs of 8, 4, 2
boris: compilers vectorize it
deposit: packs of 8, 4
dispersed: packs of 8, 4, 2
stiffened: packs of 8, 4, 2
waals: packs of 8, 4, 2
tait: compilers vectorize it
gruneisen: compilers vectorize it
table: a subscript that differs from element to element
saturation: compilers vectorize it
temperature: packs of 8, 4, 2
nasa: compilers vectorize it
sutherland: compilers vectorize it
kEpsilon: packs of 8, 4, 2
sst: packs of 8, 4, 2
spalart: packs of 8, 4, 2
smagorinsky: packs of 8, 4, 2
wallFunction: packs of 8, 4, 2
arrhenius: packs of 8, 4, 2
brusselator: compilers vectorize it
robertson: compilers vectorize it
boltzmann: packs of 8, 4, 2
greenGauss: moves more than it computes
leastSquares: packs of 8, 4
solveSquares: packs of 8, 4, 2
solve3: packs of 8, 4, 2
gradientP1: packs of 8, 4, 2
average: packs of 8, 4
interpolate: packs of 8, 4, 2
diffuse: moves more than it computes
upwind: packs of 8, 4, 2
relax: indirect rw
saveOld: compilers vectorize it
rungeKutta: compilers vectorize it
lowStorage: compilers vectorize it
updateNorm: packs of 8, 4
pointImplicit: compilers vectorize it
axpy: compilers vectorize it
axpy32: compilers vectorize it
dot: packs of 8, 4, 2
norm2: packs of 8, 4, 2
normMax: packs of 8, 4, 2
range4: packs of 8, 4, 2
kinetic: packs of 8, 4, 2
clip: packs of 8, 4, 2
sigmoid: packs of 8, 4, 2
godunov: packs of 8, 4, 2
heaviside: packs of 8, 4, 2
maxwell: moves more than it computes
richards: packs of 8, 4, 2
pagePush: packs of 8, 4
pageUpdate: packs of 8, 4, 2
graphLaplace: moves more than it computes
degree: moves more than it computes
component: moves more than it computes
blur: packs of 16, 8
sobel: packs of 16, 8, 4
median: packs of 16, 8, 4
peronaMalik: packs of 8, 4, 2
bilateral: packs of 8, 4, 2
life: packs of 16, 8, 4
luma: compilers vectorize it
random: compilers vectorize it
mandelbrot: packs of 8, 4, 2
classify: compilers vectorize it
`
