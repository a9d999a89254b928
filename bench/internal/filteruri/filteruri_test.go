package filteruri

import (
	"strings"
	"testing"
)

func TestLineOfSpeedb(t *testing.T) {
	var stderr strings.Builder
	_, err := Parse("speedb.PairedBloomFilter", &stderr)
	const want = "failure creating filter policy[speedb.PairedBloomFilter]: Not implemented: Could not load FilterPolicy: speedb.PairedBloomFilter\n"
	if stderr.String() != want || err == nil || !strings.Contains(err.Error(), "speedb.PairedBloomFilter:10") {
		t.Errorf("%q, %v", stderr.String(), err)
	}
	stderr.Reset()
	if p, err := Parse("speedb.PairedBloomFilter:23.4", &stderr); err != nil || p.String() != "speedb.PairedBloomFilter:23.4" || stderr.Len() > 0 {
		t.Errorf("%v, %v, %q", p, err, stderr.String())
	}
}
