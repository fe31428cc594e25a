package fromc

import (
	"embed"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// The standard headers, as far as kernels need them, so that no C compiler has to be
// there.
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

// library maps the functions that the headers declare to their header.
var library = sync.OnceValue(func() map[string]string {
	declared := regexp.MustCompile(`(?m)^[a-z][a-z_ *0-9]*[ *]([a-z_][a-z_0-9]*)\(`)
	m := map[string]string{}
	for _, h := range headerNames() {
		text, err := headers.ReadFile(headerDir + "/" + h)
		if err != nil {
			continue
		}
		for _, match := range declared.FindAllStringSubmatch(string(text), -1) {
			if !strings.HasPrefix(match[1], "__") {
				m[match[1]] = h
			}
		}
	}
	return m
})

// libraryNames lists the functions that the headers declare, sorted.
func libraryNames() []string {
	var names []string
	for n := range library() {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}
