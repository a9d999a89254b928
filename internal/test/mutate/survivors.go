package main

import (
	"fmt"
	"os"
	"path"
	"strings"
)

// readSurvivors reads the mutants that are known to survive, with the reasons. Its lines are mutants' names, and after
// one or more of them the reason, indented by a tab. Lines that begin with # are comments.
func readSurvivors(name string) (map[string]string, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	known := map[string]string{}
	var waiting []string
	for i, line := range strings.Split(string(data), "\n") {
		reason, indented := strings.CutPrefix(line, "\t")
		switch {
		case line == "" || line[0] == '#':
		case !indented:
			if _, twice := known[line]; twice {
				return nil, fmt.Errorf("%s:%d: the same mutant twice", name, i+1)
			}
			known[line] = ""
			waiting = append(waiting, line)
		case len(waiting) == 0:
			return nil, fmt.Errorf("%s:%d: a reason without a mutant", name, i+1)
		default:
			for _, id := range waiting {
				known[id] = reason
			}
			waiting = nil
		}
	}
	if len(waiting) > 0 {
		return nil, fmt.Errorf("%s: no reason for %s", name, waiting[0])
	}
	return known, nil
}

// compared is how the results differ from the known survivors.
type compared struct {
	unknown []*mutant // survived without a reason
	slow    []*mutant // timed out without a reason
	gone    []string  // known, but the function has no such line any more
	found   []string  // known, but a test finds it
}

// compare compares the results of packages with the known survivors in them.
func compare(packages []*pkg, known map[string]string) (c compared) {
	results, folders := map[string]result{}, map[string]bool{}
	for _, p := range packages {
		folders[p.folder] = true
		for _, m := range p.mutants {
			results[m.id] = m.result
			switch _, ok := known[m.id]; {
			case ok:
			case m.result == survived:
				c.unknown = append(c.unknown, m)
			case m.result == timedOut:
				c.slow = append(c.slow, m)
			}
		}
	}
	for id := range known {
		file, _, _ := strings.Cut(id, ": ")
		if !folders[path.Dir(file)] {
			continue
		}
		switch r, ok := results[id]; {
		case !ok:
			c.gone = append(c.gone, id)
		case r == killed:
			c.found = append(c.found, id)
		}
	}
	return c
}
