package text

import (
	"encoding/binary"
	"fmt"
	"go/constant"
	"math"
	"strconv"
	"strings"

	"github.com/go-op2/op2/internal/loop"
)

// Literal prints a constant in C.
func Literal(v constant.Value, t loop.Scalar) string {
	switch {
	case t == loop.Bool:
		return strconv.FormatBool(constant.BoolVal(v))
	case t == loop.Float64:
		f, _ := constant.Float64Val(constant.ToFloat(v))
		return Decimal(f, 64)
	case t == loop.Float32:
		f, _ := constant.Float32Val(constant.ToFloat(v))
		return Decimal(float64(f), 32) + "f"
	case t.Unsigned():
		u, _ := constant.Uint64Val(constant.ToInt(v))
		switch text := strconv.FormatUint(u, 10); {
		case u <= math.MaxInt32:
			return text
		case u <= math.MaxUint32:
			return text + "u"
		default:
			return "UINT64_C(" + text + ")"
		}
	}
	i, _ := constant.Int64Val(constant.ToInt(v))
	switch text := strconv.FormatInt(i, 10); {
	case i == math.MinInt64:
		return "INT64_MIN"
	case i == math.MinInt32:
		return "INT32_MIN"
	case math.MinInt32 < i && i <= math.MaxInt32:
		return text
	default:
		return "INT64_C(" + text + ")"
	}
}

// Decimal returns the shortest decimal that reads back as f, always a C double.
func Decimal(f float64, bits int) string {
	s := strconv.FormatFloat(f, 'g', -1, bits)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

// LiteralOf returns the scalar of type t that bytes start with as a constant.
func LiteralOf(t loop.Scalar, bytes []byte) string {
	var word [8]byte
	copy(word[:], bytes[:t.Size()])
	bits := binary.LittleEndian.Uint64(word[:])
	value := constant.MakeUint64(bits)
	switch {
	case t == loop.Bool:
		value = constant.MakeBool(bits != 0)
	case t.Float():
		f := math.Float64frombits(bits)
		if t == loop.Float32 {
			f = float64(math.Float32frombits(uint32(bits)))
		}
		switch {
		case math.IsNaN(f):
			return "NAN"
		case math.IsInf(f, 0):
			return strings.TrimPrefix(strings.Replace(fmt.Sprint(f), "Inf", "INFINITY", 1), "+")
		case f == 0 && math.Signbit(f):
			return "-0.0"
		}
		value = constant.MakeFloat64(f)
	case t.Signed():
		shift := 64 - 8*t.Size()
		value = constant.MakeInt64(int64(bits<<shift) >> shift)
	}
	return Literal(value, t)
}
