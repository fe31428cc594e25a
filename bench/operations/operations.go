// Package operations has a kernel for each operation whose meaning differs, or might differ,
// between Go and C: bench -operations compares them with the functions of the same names in
// bench/reference/operations.c.
package operations

import (
	_ "embed"
	"math"
)

// Source is this file, for op2.Kernels.
//
//go:embed operations.go
var Source string

func MaxBuiltin(x, y, r *float64)   { *r = max(*x, *y) }
func MinBuiltin(x, y, r *float64)   { *r = min(*x, *y) }
func MaxBuiltin32(x, y, r *float32) { *r = max(*x, *y) }
func MaxMath(x, y, r *float64)      { *r = math.Max(*x, *y) }
func MinMath(x, y, r *float64)      { *r = math.Min(*x, *y) }
func Clamp(x, y, r *float64)        { *r = math.Max(0, math.Min(1, *x / *y)) }
func MaxInt(x, y, r *int64)         { *r = max(*x, *y) }

func Abs(x, y, r *float64)         { *r = math.Abs(*x) + *y }
func Copysign(x, y, r *float64)    { *r = math.Copysign(*x, *y) }
func Dim(x, y, r *float64)         { *r = math.Dim(*x, *y) }
func FMA(x, y, r *float64)         { *r = math.FMA(*x, *y, 0.5) }
func Sqrt(x, y, r *float64)        { *r = math.Sqrt(math.Abs(*x)) + *y }
func Divide(x, y, r *float64)      { *r = *x / *y }
func Floor(x, y, r *float64)       { *r = math.Floor(*x) + *y }
func Ceil(x, y, r *float64)        { *r = math.Ceil(*x) + *y }
func Trunc(x, y, r *float64)       { *r = math.Trunc(*x) + *y }
func Round(x, y, r *float64)       { *r = math.Round(*x) + *y }
func RoundToEven(x, y, r *float64) { *r = math.RoundToEven(*x) + *y }

func Signbit(x, y, r *float64) {
	*r = *y
	if math.Signbit(*x) {
		*r = 1
	}
}

func IsNaN(x, y, r *float64) {
	*r = *y
	if math.IsNaN(*x) {
		*r = 1
	}
}

func IsInf(x, y, r *float64) {
	*r = *y
	if math.IsInf(*x, 0) {
		*r = 1
	}
}

func Modf(x, y, r *float64) {
	whole, fraction := math.Modf(*x)
	*r = whole + *y*fraction
}

func Frexp(x, y, r *float64) {
	fraction, exponent := math.Frexp(*x)
	*r = fraction + *y*float64(exponent)
}

func Ldexp(x, y, r *float64)     { *r = math.Ldexp(*x, int(*y)) }
func Ilogb(x, y, r *float64)     { *r = float64(math.Ilogb(*x)) + *y }
func Logb(x, y, r *float64)      { *r = math.Logb(*x) + *y }
func Nextafter(x, y, r *float64) { *r = math.Nextafter(*x, *y) }
func Bits(x, y, r *float64)      { *r = math.Float64frombits(math.Float64bits(*x)&^(1<<63)) + *y }

func Mod(x, y, r *float64)       { *r = math.Mod(*x, *y) }
func Remainder(x, y, r *float64) { *r = math.Remainder(*x, *y) }
func Hypot(x, y, r *float64)     { *r = math.Hypot(*x, *y) }
func Pow(x, y, r *float64)       { *r = math.Pow(math.Abs(*x), *y) }
func Cbrt(x, y, r *float64)      { *r = math.Cbrt(*x) + *y }
func Exp(x, y, r *float64)       { *r = math.Exp(*x) + *y }
func Log(x, y, r *float64)       { *r = math.Log(math.Abs(*x)) + *y }

func Sincos(x, y, r *float64) {
	sin, cos := math.Sincos(*x)
	*r = sin + *y*cos
}

func ToInt64(x, y *float64, r *int64)     { *r = int64(*x) + int64(*y) }
func ToInt32(x, y *float64, r *int32)     { *r = int32(*x) + int32(*y) }
func ToUint8(x, y *float64, r *uint8)     { *r = uint8(*x) + uint8(*y) }
func ToUint32(x, y *float64, r *uint32)   { *r = uint32(*x) + uint32(*y) }
func ToUint64(x, y *float64, r *uint64)   { *r = uint64(*x) + uint64(*y) }
func ToFloat32(x, y *float64, r *float32) { *r = float32(*x) + float32(*y) }
func FromInt64(x, y *int64, r *float64)   { *r = float64(*x) + float64(*y) }
func FromUint64(x, y *uint64, r *float64) { *r = float64(*x) + float64(*y) }

func AddInt8(x, y, r *int8)                               { *r = *x + *y }
func MultiplyInt64(x, y, r *int64)                        { *r = *x * *y }
func DivideInt64(x, y, r *int64)                          { *r = *x / *y }
func DivideInt32(x, y, r *int32)                          { *r = *x / *y }
func DivideUint64(x, y, r *uint64)                        { *r = *x / *y }
func DivideByEight(x, y, r *int64)                        { *r = *x/8 + *y }
func RemainderInt64(x, y, r *int64)                       { *r = *x % *y }
func RemainderInt32(x, y, r *int32)                       { *r = *x % *y }
func RemainderOfEight(x, y, r *int64)                     { *r = *x%8 + *y }
func ShiftLeft(x, y, r *uint64)                           { *r = *x << *y }
func ShiftRight(x, y, r *uint64)                          { *r = *x >> *y }
func ShiftLeftInt(x, y, r *int64)                         { *r = *x << *y }
func ShiftRightInt(x, y, r *int64)                        { *r = *x >> *y }
func ShiftRightMasked(x, y, r *int64)                     { *r = *x >> (*y & 63) }
func ShiftByThree(x, y, r *int64)                         { *r = *x<<3 + *y>>3 }
func Subscript(x *[4]float64, y *int64, r *float64)       { *r = x[*y] }
func SubscriptMasked(x *[4]float64, y *int64, r *float64) { *r = x[*y&3] }
