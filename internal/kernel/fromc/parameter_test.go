package fromc

import (
	"strings"
	"testing"
)

// What the IR makes of each form of parameter, and of the ways to reach an element.
func TestParameters(t *testing.T) {
	for _, c := range []struct{ param, use, wantType, want string }{
		{"double *x", "*x = 1", "*float64", "x[0] = 1"},
		{"double *x", "x[3] = 1", "*float64", "x[3] = 1"},
		{"double *x", "*(x + 2) = 1", "*float64", "x[2] = 1"},
		{"double *x", "*(2 + x) = 1", "*float64", "x[2] = 1"},
		{"double *x", "2[x] = 1", "*float64", "x[2] = 1"},
		{"double *x", "(x + 1)[2] = 1", "*float64", "x[3] = 1"},
		{"double *x", "*(&x[4] - 1) = 1", "*float64", "x[3] = 1"},
		{"double *restrict x", "(*x) += 1", "*float64", "x[0] += 1"},
		{"double *const x", "*&*x = 1", "*float64", "x[0] = 1"},
		{"double x[3]", "x[2] = 1", "*[3]float64", "x[2] = 1"},
		{"double x[3]", "*x = 1", "*[3]float64", "x[0] = 1"},
		{"double x[]", "x[2] = 1", "*[0]float64", "x[2] = 1"},
		{"double x[static 3]", "x[2] = 1", "*[3]float64", "x[2] = 1"},
		{"double x[restrict static 3]", "x[2] = 1", "*[3]float64", "x[2] = 1"},
		{"double x[3][2]", "x[1][0] = 1", "*[3][2]float64", "x[1][0] = 1"},
		{"double x[3][2]", "*x[1] = 1", "*[3][2]float64", "x[1][0] = 1"},
		{"double x[3][2]", "*(*(x + 1) + 1) = 1", "*[3][2]float64", "x[1][1] = 1"},
		{"double x[3][2]", "(*x)[1] = 1", "*[3][2]float64", "x[0][1] = 1"},
		{"double x[2][3][4]", "x[1][2][3] = 1", "*[2][3][4]float64", "x[1][2][3] = 1"},
		{"double (*x)[2]", "x[1][0] = 1", "*[0][2]float64", "x[1][0] = 1"},
		{"double x[][2]", "**x = 1", "*[0][2]float64", "x[0][0] = 1"},
		{"double *x[3]", "x[1][0] = 1", "*[3]*float64", "x[1][0] = 1"},
		{"double *x[3]", "*x[1] = 1", "*[3]*float64", "x[1][0] = 1"},
		{"double *const x[3]", "*(x[1] + 1) = 1", "*[3]*float64", "x[1][1] = 1"},
		{"double **x", "**x = 1", "*[0]*float64", "x[0][0] = 1"},
		{"double **x", "x[2][1] = 1", "*[0]*float64", "x[2][1] = 1"},
		{"double *x[]", "x[2][1] = 1", "*[0]*float64", "x[2][1] = 1"},
		{"float *x", "*x = 1", "*float32", "x[0] = 1"},
		{"char *x", "*x = 1", "*int8", "x[0] = 1"},
		{"signed char *x", "*x = 1", "*int8", "x[0] = 1"},
		{"int8_t *x", "*x = 1", "*int8", "x[0] = 1"},
		{"short *x", "*x = 1", "*int16", "x[0] = 1"},
		{"int16_t *x", "*x = 1", "*int16", "x[0] = 1"},
		{"int *x", "*x = 1", "*int32", "x[0] = 1"},
		{"signed *x", "*x = 1", "*int32", "x[0] = 1"},
		{"int32_t *x", "*x = 1", "*int32", "x[0] = 1"},
		{"long long int *x", "*x = 1", "*int64", "x[0] = 1"},
		{"int64_t *x", "*x = 1", "*int64", "x[0] = 1"},
		{"unsigned char *x", "*x = 1", "*uint8", "x[0] = 1"},
		{"uint8_t *x", "*x = 1", "*uint8", "x[0] = 1"},
		{"unsigned short int *x", "*x = 1", "*uint16", "x[0] = 1"},
		{"uint16_t *x", "*x = 1", "*uint16", "x[0] = 1"},
		{"unsigned *x", "*x = 1", "*uint32", "x[0] = 1"},
		{"uint32_t *x", "*x = 1", "*uint32", "x[0] = 1"},
		{"long long unsigned *x", "*x = 1", "*uint64", "x[0] = 1"},
		{"uint64_t *x", "*x = 1", "*uint64", "x[0] = 1"},
	} {
		k, err := Kernel("k", "static inline void k("+c.param+") { "+c.use+"; }", nil)
		if err != nil {
			t.Errorf("%s: %v", c.param, err)
			continue
		}
		for _, b := range verify(k) {
			t.Errorf("%s: %s", c.param, b)
		}
		if got := k.Entry().Params[0].Type.String(); got != c.wantType {
			t.Errorf("%s: the type is %s, not %s", c.param, got, c.wantType)
		}
		body := strings.Split(dump(k), "\n")[1]
		if got := strings.TrimSpace(body); got != c.want {
			t.Errorf("%s: %s is %s, not %s", c.param, c.use, got, c.want)
		}
	}
}
