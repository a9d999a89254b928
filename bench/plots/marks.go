package main

import (
	"fmt"
	"regexp"
)

// betweenMarks replaces what a page has between each mark of a kind, such as "peers: rates", and
// "end" by the table of that name. It is an error if table returns no text.
func betweenMarks(page []byte, kind string, table func(name string) string) ([]byte, error) {
	marks := regexp.MustCompile(`(?s)(<!-- ` + kind + `: ([\w-]+) -->\n).*?(<!-- end -->)`)
	var unknown []string
	page = marks.ReplaceAllFunc(page, func(marked []byte) []byte {
		parts := marks.FindSubmatch(marked)
		text := table(string(parts[2]))
		if text == "" {
			unknown = append(unknown, string(parts[2]))
			return marked
		}
		return []byte(string(parts[1]) + "\n" + text + "\n" + string(parts[3]))
	})
	if unknown != nil {
		return nil, fmt.Errorf("there are no tables %q", unknown)
	}
	return page, nil
}
