package sparse

import (
	"bufio"
	"fmt"
	"io"
	"reflect"
	"strconv"
)

// WriteMarket writes the nonzeros of the pattern, row by row and numbered from 1, in MatrixMarket's
// coordinate format; values is a slice of numbers.
//
// Source: R. F. Boisvert, R. Pozo, K. A. Remington, The Matrix Market Exchange Formats:
// Initial Design, NISTIR 5935, 1996.
func WriteMarket(to io.Writer, p *Pattern, b Blocks, values any) error {
	numbers := reflect.ValueOf(values)
	w := bufio.NewWriterSize(to, 1<<16)
	field := "real"
	if numbers.Type().Elem().Kind() < reflect.Float32 {
		field = "integer"
	}
	fmt.Fprintf(w, "%%%%MatrixMarket matrix coordinate %s general\n%d %d %d\n", field, p.Rows*b.Rows, p.Cols*b.Cols, p.Nonzeros()*b.Size())
	var line []byte
	for r := range p.Rows {
		for i := range b.Rows {
			for k := int(p.RowPtr[r]); k < int(p.RowPtr[r+1]); k++ {
				for j := range b.Cols {
					line = strconv.AppendInt(line[:0], int64(r*b.Rows+i+1), 10)
					line = strconv.AppendInt(append(line, ' '), int64(int(p.ColIdx[k])*b.Cols+j+1), 10)
					line = append(appendNumber(append(line, ' '), numbers.Index(k*b.Size()+j*b.Rows+i)), '\n')
					if _, err := w.Write(line); err != nil {
						return err
					}
				}
			}
		}
	}
	return w.Flush()
}

// appendNumber appends v with enough digits to identify it within its type.
func appendNumber(to []byte, v reflect.Value) []byte {
	switch {
	case v.CanFloat():
		return strconv.AppendFloat(to, v.Float(), 'g', -1, v.Type().Bits())
	case v.CanUint():
		return strconv.AppendUint(to, v.Uint(), 10)
	}
	return strconv.AppendInt(to, v.Int(), 10)
}
