package consumer

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestREADMEIsShort counts what somebody reads who has heard of the project for the first
// time.
func TestREADMEIsShort(t *testing.T) {
	const most = 780 // and a table's lines
	if words := len(words.FindAllString(read(t, filepath.Join(clone(t), "README.md")), -1)); words > most {
		t.Errorf("the README has %d words, at most %d are read: the rest belongs to docs", words, most)
	}
}

// words have a letter or a digit.
var words = regexp.MustCompile(`\S*\w\S*`)

var links = regexp.MustCompile(`\]\(([^ ):#]+)(#[^)]*)?\)`)

// TestLinks looks for the files and the headings that pages link to.
func TestLinks(t *testing.T) {
	clone := clone(t)
	pages, err := filepath.Glob(filepath.Join(clone, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	inDocs, err := filepath.Glob(filepath.Join(clone, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, inDocs...) {
		for _, link := range links.FindAllStringSubmatch(read(t, page), -1) {
			name := filepath.Join(filepath.Dir(page), filepath.FromSlash(link[1]))
			if _, err := os.Stat(name); err != nil {
				t.Errorf("%s links to %s, which does not exist", filepath.Base(page), link[1])
				continue
			}
			if anchor := strings.TrimPrefix(link[2], "#"); anchor != "" && !strings.Contains(anchors(read(t, name)), "\n"+anchor+"\n") {
				t.Errorf("%s links to %s, which has no such heading", filepath.Base(page), link[0])
			}
		}
	}
}

// TestEveryPageIsListed looks for the pages in docs in their index.
func TestEveryPageIsListed(t *testing.T) {
	docs := filepath.Join(clone(t), "docs")
	pages, err := filepath.Glob(filepath.Join(docs, "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatal(pages, err)
	}
	index := read(t, filepath.Join(docs, "README.md"))
	for _, page := range pages {
		if name := filepath.Base(page); name != "README.md" && !strings.Contains(index, "]("+name+")") {
			t.Errorf("docs/README.md does not link to %s", name)
		}
	}
}

var (
	headings  = regexp.MustCompile(`(?m)^#+ (.*)$`)
	notInLink = regexp.MustCompile(`[^a-z0-9 _-]`)
)

// anchors returns the names of a page's headings, as GitHub makes them, a line for each.
func anchors(page string) string {
	all := "\n"
	for _, heading := range headings.FindAllStringSubmatch(page, -1) {
		name := notInLink.ReplaceAllString(strings.ToLower(heading[1]), "")
		all += strings.ReplaceAll(name, " ", "-") + "\n"
	}
	return all
}
