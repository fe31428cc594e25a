package op2

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/go-op2/op2/internal/spell"
)

// variables are the environment variables that Open reads.
var variables = []string{
	"OP2_BACKEND", "OP2_BLOCK_SIZE", "OP2_CACHE_DIR", "OP2_CC", "OP2_CFLAGS", "OP2_CHAINS", "OP2_CUDA_DEVICE", "OP2_CUSPARSE", "OP2_DETERMINISTIC",
	"OP2_DIAGS", "OP2_HALO_DEPTH", "OP2_KEEP_SOURCE", "OP2_LATENCY", "OP2_LAZY", "OP2_LAYOUT", "OP2_MPI", "OP2_MPI_LIBRARY", "OP2_NVRTC", "OP2_OPENCL_DEVICE", "OP2_PARTITIONER", "OP2_QUIET", "OP2_RANK_WEIGHT", "OP2_RECORD", "OP2_REPRODUCIBLE", "OP2_SCHEDULE", "OP2_SIMD", "OP2_SOLVER", "OP2_STATS",
	"OP2_STRATEGY", "OP2_THREADS",
}

// misspelled returns warnings about environment variables that are probably misspelled.
func misspelled(environment []string) []string {
	var found []string
	for _, v := range environment {
		name, _, _ := strings.Cut(v, "=")
		upper := strings.ToUpper(name)
		caseless := runtime.GOOS == "windows" // there, op2_cc is OP2_CC
		if !strings.HasPrefix(upper, "OP2_") || strings.HasPrefix(upper, "OP2_TEST_") || slices.Contains(variables, name) || caseless && slices.Contains(variables, upper) {
			continue
		}
		// The common prefix does not count as similarity.
		short := make([]string, len(variables))
		for i, v := range variables {
			short[i] = strings.TrimPrefix(v, "OP2_")
		}
		if near := spell.Nearest(strings.TrimPrefix(upper, "OP2_"), short); near != "" {
			found = append(found, fmt.Sprintf("the environment variable %s means nothing here: did you mean OP2_%s?", name, near))
		}
	}
	return found
}

// warnedMisspelled makes the process warn about misspelled variables only once.
var warnedMisspelled sync.Once

// called names an option in errors: by its variable, if that is where the value is from.
func called(variable, option, value string) string {
	if value == os.Getenv(variable) {
		return variable + "=" + value
	}
	return fmt.Sprintf("%s %q", option, value)
}

// words splits text at blanks, as a shell does: quotes and backslashes keep blanks in a word.
func words(text string) (all []string, err error) {
	var word []rune
	in, quote, escaped := false, rune(0), false
	for _, r := range text {
		switch {
		case escaped:
			if quote == '"' && !strings.ContainsRune("\"\\$`", r) {
				word = append(word, '\\')
			}
			word, escaped = append(word, r), false
		case r == '\\' && quote != '\'':
			in, escaped = true, true
		case r == quote:
			quote = 0
		case quote != 0:
			word = append(word, r)
		case r == '\'' || r == '"':
			in, quote = true, r
		case unicode.IsSpace(r):
			if in {
				all = append(all, string(word))
			}
			word, in = nil, false
		default:
			word, in = append(word, r), true
		}
	}
	switch {
	case quote != 0:
		return nil, fmt.Errorf("the quote %c is not closed", quote)
	case escaped:
		return nil, errors.New("nothing follows the last backslash")
	case in:
		all = append(all, string(word))
	}
	return all, nil
}
