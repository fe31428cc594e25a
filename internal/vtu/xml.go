package vtu

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// Error reports where a file violates its format.
type Error struct {
	Offset int // in bytes, from 0
	Msg    string
}

func (e *Error) Error() string { return fmt.Sprintf("byte %d: %s", e.Offset, e.Msg) }

func errorAt(offset int, format string, args ...any) *Error {
	printable := func(r rune) rune { // text that is not XML may have anything in place of a name
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}
	return &Error{offset, strings.Map(printable, fmt.Sprintf(format, args...))}
}

// node is an element of a document.
type node struct {
	name       string
	at         int // its offset in the file
	attributes map[string]string
	children   []*node
	text       []byte // the first text directly within that is more than space
	textAt     int
}

// get returns the value of an attribute, or "".
func (n *node) get(name string) string { return n.attributes[name] }

// number returns the value of an attribute as a number that is not negative, or otherwise if there is none.
func (n *node) number(name string, otherwise int) (int, error) {
	text := n.get(name)
	if text == "" {
		return otherwise, nil
	}
	v, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || v < 0 {
		return 0, errorAt(n.at, "%s: expected a number as %s, found %q", n.name, name, text)
	}
	return v, nil
}

// child returns the first child of a name, or nil.
func (n *node) child(name string) *node {
	if n != nil {
		for _, c := range n.children {
			if c.name == name {
				return c
			}
		}
	}
	return nil
}

// parse returns the root of a document. It reads the XML that VTK uses, without document types and sections of
// unparsed text, and keeps no copy of texts. It ends at an element AppendedData, whose content is not XML: that is the
// text of the element, to the end of the file.
func parse(data []byte) (*node, error) {
	root := &node{}
	open := []*node{root}
	for at := 0; ; {
		inner := open[len(open)-1]
		next := bytes.IndexByte(data[at:], '<')
		if next < 0 {
			if len(open) > 1 {
				return nil, errorAt(len(data), "expected </%s>, found the end of the file", inner.name)
			}
			break
		}
		if text := data[at : at+next]; inner.text == nil && len(bytes.TrimSpace(text)) > 0 {
			inner.text, inner.textAt = text, at
		}
		at += next
		rest := data[at:]
		end := "" // of what is no opening tag
		switch {
		case bytes.HasPrefix(rest, []byte("<?")):
			end = "?>"
		case bytes.HasPrefix(rest, []byte("<!--")):
			end = "-->"
		case bytes.HasPrefix(rest, []byte("</")):
			end = ">"
		}
		if end != "" {
			n := bytes.Index(rest, []byte(end))
			if n < 0 {
				return nil, errorAt(at, "expected %s, found the end of the file", end)
			}
			if end == ">" {
				if name := string(bytes.TrimSpace(rest[2:n])); len(open) == 1 || name != inner.name {
					return nil, errorAt(at, "found </%.40s>, which is not open", name)
				}
				open = open[:len(open)-1]
			}
			at += n + len(end)
			continue
		}
		n, length, closed, err := parseTag(rest, at)
		if err != nil {
			return nil, err
		}
		inner.children = append(inner.children, n)
		at += length
		if n.name == "AppendedData" {
			n.text, n.textAt = data[at:], at
			break
		}
		if !closed {
			open = append(open, n)
		}
	}
	if len(root.children) == 0 {
		return nil, errorAt(0, "expected an XML file")
	}
	return root.children[0], nil
}

// tag matches an opening tag with its name, its attributes, and the slash of one that closes itself; attribute the name and
// the quoted value of an attribute.
var (
	tag       = regexp.MustCompile(`^<([^\s<>/="']+)((?:\s+[^\s<>/="']+\s*=\s*(?:"[^<"]*"|'[^<']*'))*)\s*(/?)>`)
	attribute = regexp.MustCompile(`([^\s="']+)\s*=\s*("[^"]*"|'[^']*')`)
)

// parseTag reads an opening tag at the start of rest, and returns its length, and whether it closes itself.
func parseTag(rest []byte, at int) (n *node, length int, closed bool, err error) {
	parts := tag.FindSubmatch(rest)
	if parts == nil {
		return nil, 0, false, errorAt(at, "expected a tag, found %.40q", rest[:min(len(rest), 160)])
	}
	n = &node{name: string(parts[1]), at: at, attributes: map[string]string{}}
	for _, a := range attribute.FindAllSubmatch(parts[2], -1) {
		n.attributes[string(a[1])] = html.UnescapeString(string(a[2][1 : len(a[2])-1]))
	}
	return n, len(parts[0]), len(parts[3]) > 0, nil
}

// escape returns text as it stands in an attribute. What XML cannot hold, control characters and invalid UTF-8, becomes
// U+FFFD.
func escape(text string) string {
	return escaper.Replace(strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == '\ufffe' || r == '\uffff' {
			return '\ufffd'
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd")))
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\n", " ", "\r", " ", "\t", " ")
