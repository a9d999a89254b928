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
	const most = 800 // and a table's lines
	if words := len(words.FindAllString(read(t, filepath.Join(clone(t), "README.md")), -1)); words > most {
		t.Errorf("the README has %d words, at most %d are read: the rest belongs to docs", words, most)
	}
}

// words have a letter or a digit.
var words = regexp.MustCompile(`\S*\w\S*`)

var links = regexp.MustCompile(`\]\(([^ ):#]*)(#[^)]*)?\)`)

// TestLinks looks for the files and the headings that pages link to.
func TestLinks(t *testing.T) {
	clone := clone(t)
	pages, err := filepath.Glob(filepath.Join(clone, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob(filepath.Join(clone, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	pages = append(pages, more...)
	for _, page := range pages {
		for _, link := range links.FindAllStringSubmatch(read(t, page), -1) {
			name := page
			if link[1] != "" {
				name = filepath.Join(filepath.Dir(page), filepath.FromSlash(link[1]))
			}
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

var linksOfCode = regexp.MustCompile(`blob/HEAD/([\w./-]+)(?:#([\w-]+))?`)

// TestLinksOfCode looks for the pages and headings that comments and texts in Go files link to.
func TestLinksOfCode(t *testing.T) {
	for _, name := range tracked(t) {
		if filepath.Ext(name) != ".go" {
			continue
		}
		for _, link := range linksOfCode.FindAllStringSubmatch(read(t, filepath.Join(clone(t), name)), -1) {
			page, err := os.ReadFile(filepath.Join(clone(t), filepath.FromSlash(link[1])))
			if err != nil || link[2] != "" && !strings.Contains(anchors(string(page)), "\n"+link[2]+"\n") {
				t.Errorf("%s links to %s, which is not there", name, link[0])
			}
		}
	}
}

// TestPagesAreFew: the README leads to all pages, which are few and short.
func TestPagesAreFew(t *testing.T) {
	const mostPages, mostWords = 14, 23_000
	clone := clone(t)
	pages, err := filepath.Glob(filepath.Join(clone, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	readme := read(t, filepath.Join(clone, "README.md"))
	pages = append(pages, filepath.Join(clone, "README.md"), filepath.Join(clone, "CONTRIBUTING.md"))
	counted := 0
	for _, page := range pages {
		counted += len(words.FindAllString(read(t, page), -1))
		if name, _ := filepath.Rel(clone, page); name != "README.md" && !strings.Contains(readme, "]("+filepath.ToSlash(name)) {
			t.Errorf("the README does not link to %s", name)
		}
	}
	if len(pages) > mostPages || counted > mostWords {
		t.Errorf("%d pages of %d words, at most %d of %d are read", len(pages), counted, mostPages, mostWords)
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
