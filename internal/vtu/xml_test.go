package vtu

import (
	"bytes"
	"encoding/xml"
	"maps"
	"strings"
	"testing"
)

// A tag is what encoding/xml finds.
func TestTags(t *testing.T) {
	for _, text := range []string{
		`<a>`, `<a/>`, `<a />`, `<a b="1">`, `<a b='1' c = "2"/>`, "<a\n\tb=\"x > y\"\n>", `<a b="&lt;&amp;&#955;&quot;" c=''>`,
		`<DataArray Name="ü 'q' = 1" type='say "Int32"'/>`, `<a.b-c_1 d:e="1">`, `<a b="">`,
	} {
		n, length, closed, err := parseTag([]byte(text+"<rest>"), 3)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		token, err := xml.NewDecoder(bytes.NewReader([]byte(text))).RawToken()
		if err != nil {
			t.Fatal(err)
		}
		start := token.(xml.StartElement)
		want := map[string]string{}
		for _, a := range start.Attr {
			want[strings.TrimPrefix(a.Name.Space+":"+a.Name.Local, ":")] = a.Value
		}
		if n.name != start.Name.Local || n.at != 3 || length != len(text) || closed != strings.HasSuffix(text, "/>") || !maps.Equal(n.attributes, want) {
			t.Errorf("%s: got %q, %q, %d bytes, closed %t, want %q, %q", text, n.name, n.attributes, length, closed, start.Name.Local, want)
		}
	}
	for _, text := range []string{"<", "<>", "</>", "< a>", "<a b>", "<a b=>", "<a b=c>", `<a b="1>`, `<a b="1"c="2">`, `<a b="<">`, `<a / >`, `<a b="1" "2">`} {
		if n, _, _, err := parseTag([]byte(text), 0); err == nil {
			t.Errorf("%s: got %q, %q", text, n.name, n.attributes)
		}
	}
}
