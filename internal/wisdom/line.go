package wisdom

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
)

// start begins each line, up to the version.
const (
	anyVersion = `{"op2wisdom":`
	start      = anyVersion + "1,"
)

// line is a finding as it is written.
type line struct {
	Sum string          `json:"sum"`
	Of  json.RawMessage `json:"of"`
}

func sumOf(data []byte) string { return fmt.Sprintf("%08x", crc32.ChecksumIEEE(data)) }

func encode(findings []Finding) []byte {
	var text []byte
	for _, f := range findings {
		of, err := json.Marshal(f)
		if err != nil { // a ratio that is no number
			continue
		}
		text = fmt.Appendf(text, "%s\"sum\":%q,\"of\":%s}\n", start, sumOf(of), of)
	}
	return text
}

// decode returns the findings of a text. A line may follow directly on one that is incomplete, whose process was killed or
// had no disk left.
func decode(text []byte) (findings []Finding) {
	for _, after := range bytes.Split(text, []byte(start))[1:] {
		rest, _, _ := bytes.Cut(after, []byte("\n"))
		if f, ok := decodeLine(append([]byte("{"), rest...)); ok {
			findings = append(findings, f)
		}
	}
	return findings
}

// foreign returns the lines of a text that other versions have written.
func foreign(text []byte) (lines []byte) {
	for l := range bytes.Lines(text) {
		if bytes.HasPrefix(l, []byte(anyVersion)) && !bytes.HasPrefix(l, []byte(start)) {
			lines = append(bytes.TrimRight(append(lines, l...), "\n"), '\n')
		}
	}
	return lines
}

func decodeLine(text []byte) (f Finding, ok bool) {
	var l line
	if json.Unmarshal(text, &l) != nil || sumOf(l.Of) != l.Sum || json.Unmarshal(l.Of, &f) != nil {
		return f, false
	}
	return f, f.Rigor >= Estimate && f.Rigor <= Patient
}
