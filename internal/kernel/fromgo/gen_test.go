package fromgo

import (
	"os"
	"strings"
	"testing"
)

func TestGen(t *testing.T) {
	text, _ := os.ReadFile("/tmp/gold/cases.txt")
	out, _ := os.Create("/tmp/gold/out.txt")
	for _, c := range strings.Split(string(text), "=== ")[1:] {
		name, src, _ := strings.Cut(c, "\n")
		k, err := Parse("package p\nimport \"math\"\n"+src).Kernel("k", "k.go", 0)
		out.WriteString("=== " + name + "\n" + src + "---\n")
		if err != nil {
			out.WriteString("ERR " + err.Error() + "\n")
			continue
		}
		out.WriteString(dump(k))
	}
}
