package text

import "strings"

// Sections returns the sections of a file of C by their names. Each begins with a line "//: name", and
// perhaps remarks on lines "//- remark" after it.
func Sections(file string) map[string]string {
	sections := map[string]string{}
	for section := range strings.SplitSeq(file, "//: ") {
		name, text, _ := strings.Cut(section, "\n")
		for strings.HasPrefix(text, "//- ") {
			_, text, _ = strings.Cut(text, "\n")
		}
		sections[name] = strings.TrimRight(text, "\n") + "\n"
	}
	return sections
}
