package fromc

import (
	"embed"
	"io/fs"
	"strings"
	"sync"
)

// The standard headers, as far as kernels need them, so that no C compiler is required.
//
//go:embed headers/*.h
var headers embed.FS

const headerDir = "headers"

// headerNames lists the headers that exist, sorted.
func headerNames() []string {
	entries, err := fs.ReadDir(headers, headerDir)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// library maps the names that the headers declare and define to their header.
var library = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for _, h := range headerNames() {
		text, err := headers.ReadFile(headerDir + "/" + h)
		if err != nil {
			continue
		}
		for _, line := range strings.Split(string(text), "\n") {
			d := defining().FindStringSubmatch(line)
			if d == nil {
				continue
			}
			if name := d[1] + d[2] + d[3]; !strings.HasPrefix(name, "_") {
				m[name] = h
			}
		}
	}
	return m
})
