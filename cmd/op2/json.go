package main

import (
	"encoding/json"
	"flag"
	"io"
	"math"
	"strconv"
)

// jsonFlag adds the flag of a command whose figures programs may read.
func jsonFlag(f *flag.FlagSet) *bool {
	return f.Bool("json", false, "write JSON, for other programs")
}

// writeJSON writes a value for other programs.
func writeJSON(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// number is a float64 that JSON may hold: null where it is not finite.
type number float64

func (n number) MarshalJSON() ([]byte, error) {
	if v := float64(n); !math.IsInf(v, 0) && !math.IsNaN(v) {
		return strconv.AppendFloat(nil, v, 'g', -1, 64), nil
	}
	return []byte("null"), nil
}
