package report

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"strings"
)

// The page is one file, without anything from elsewhere: the script draws what the data says.
var (
	//go:embed page.html
	page string
	//go:embed page.css
	style string
	//go:embed page.js
	script string
)

// rankName returns the name of a rank: "rank 2 on host".
func rankName(r *Rank) string { return fmt.Sprintf("rank %d on %s", r.Rank, r.Host) }

// writePage writes the report as a page in HTML.
func writePage(w io.Writer, r *Report) error {
	data, err := json.Marshal(r) // which escapes <, > and &, so that no text ends the element
	if err != nil {
		return err
	}
	_, err = strings.NewReplacer("{{title}}", html.EscapeString(r.Program), "{{style}}", style, "{{script}}", script, "{{data}}", string(data)).WriteString(w, page)
	return err
}
