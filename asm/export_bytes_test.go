package asm

// FastLocalContains looks a hash up in a body as in a filter's bytes.
func FastLocalContains(body []byte, probes int, hash uint64) bool {
	checkFastLocal(body, probes)
	return fastLocalBytes{&body[0], len(body), probes}.Contains(hash)
}
