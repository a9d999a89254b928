package main

import "fmt"

// waysToQuery returns the ways to query filters that the flags choose.
func (s *settings) waysToQuery() (ways []queried) {
	for _, present := range s.present.values {
		if s.single {
			ways = append(ways, queried{Present: present}, queried{Present: present, Branch: true})
			continue
		}
		for _, batch := range s.batch.values {
			ways = append(ways, queried{Present: present, Batch: batch})
		}
	}
	return ways
}

// waysToBuild returns the ways to build simdbloom's filters that the flags choose.
func waysToBuild(s *settings) (ways []building) {
	for _, concurrency := range s.concurrency.values {
		for _, verification := range []bool{false, true} {
			if verification && !s.verification {
				continue
			}
			for _, again := range []bool{false, true} {
				ways = append(ways, building{concurrency: concurrency, verification: verification, again: again})
			}
		}
	}
	return ways
}

// String is the end of a row's name.
func (b building) String() string {
	name := "build"
	if b.again {
		name = "rebuild"
	}
	if b.concurrency > 1 {
		name += fmt.Sprintf(", %d CPUs", b.concurrency)
	}
	if b.verification {
		name += ", verified"
	}
	return name
}

func parseConcurrency(text string) (int, error) {
	const most = 1024
	cpus, err := parseCount(text)
	if err == nil && (cpus < 1 || cpus > most) {
		err = fmt.Errorf("%s is not 1 to %d", text, most)
	}
	return cpus, err
}
