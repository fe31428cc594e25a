// Package gas has consts, of which it declares one itself.
package gas

import (
	"embed"

	"github.com/go-op2/op2"
)

//go:embed gas.go
var files embed.FS

func init() { op2.ExportSource(files) }

var Gamma, Constant = 1.4, 287.0

// Declare declares what the functions of this package read.
func Declare(rt *op2.Runtime) { op2.NewConst(rt, "Constant", &Constant) }

// Pressure returns the pressure of a gas.
func Pressure(rho, t float64) float64 { return rho * Constant * t }

// Speed returns the speed of sound.
func Speed(p, rho float64) float64 { return Gamma * p / rho }
