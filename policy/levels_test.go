package policy_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/policy"
)

// level is a level of an LSM tree with its filters.
type level struct {
	Policy *policy.Policy
	Bytes  float64
	FPR    float64
}

// at returns the levels of these numbers of keys whose policies ByLevel returns, or ByLevelWithin.
func at(policies []*policy.Policy, err error) func(keys ...int64) ([]level, error) {
	return func(keys ...int64) (levels []level, _ error) {
		const mostInTable = 10_000_000
		for i, p := range policies {
			inTable := int(min(keys[i], mostInTable))
			l := level{Policy: p}
			if keys[i] > 0 {
				l.FPR = p.PredictedFPR(inTable)
			}
			if keys[i] > 0 && p.BitsPerKey() > 0 {
				l.Bytes = float64(p.SizeBytes(inTable)) * (float64(keys[i]) / float64(inTable))
			}
			levels = append(levels, l)
		}
		return levels, err
	}
}

// reads returns the expected reads of 1,000 absent keys, and the bytes.
func reads(levels []level) (rate float64, bytes int64) {
	for _, l := range levels {
		rate += 1000 * l.FPR
		bytes += int64(math.Ceil(l.Bytes))
	}
	return rate, bytes
}

// TestRatesByLevelOfFourLevels has the figures of the pages.
func TestRatesByLevelOfFourLevels(t *testing.T) {
	for _, row := range []struct {
		policy        *policy.Policy
		same, byLevel float64
	}{
		{policy.FastLocal(10), 38.7, 14.0},
		{policy.Paired(10), 36.9, 13.5},
		{policy.Linear(10), 5.6, 2.0},
	} {
		keys := []int64{1e6, 1e7, 1e8, 1e9}
		levels, err := at(row.policy.ByLevel(keys...))(keys...)
		if err != nil {
			t.Fatal(err)
		}
		const tenth = 0.05
		rate, bytes := reads(levels)
		if same := 4000 * row.policy.PredictedFPR(1e7); math.Abs(same-row.same) > tenth || math.Abs(rate-row.byLevel) > tenth {
			t.Errorf("%v: %.2f reads, by level %.2f", row.policy, same, rate)
		}
		if most := int64(row.policy.SizeBytes(1e6)) + 111*int64(row.policy.SizeBytes(1e7)); bytes > most+4 || bytes < most-most/2000 {
			t.Errorf("%v: %d bytes of %d", row.policy, bytes, most)
		}
	}
}

// TestRatesByLevelAreTheLeast compares with all settings in steps, of the sizes that builders have.
func TestRatesByLevelAreTheLeast(t *testing.T) {
	for _, row := range []struct {
		name       string
		step, most float64
		keys       [3]int64
		averages   []float64 // bits per key
	}{
		{name: "simdbloom.FastLocal", step: 0.5, most: 25, keys: [3]int64{900, 9000, 90_000}, averages: []float64{0.3, 2, 5.5, 10, 16.3}},
		{name: "simdbloom.Paired", step: 0.5, most: 22, keys: [3]int64{20_000, 20_000, 80_000}, averages: []float64{10}},
		{name: "speedb.PairedBloomFilter", step: 0.5, most: 22, keys: [3]int64{5000, 5000, 5000}, averages: []float64{10}},
		{name: "simdbloom.Linear", step: 0.5, most: 25, keys: [3]int64{700, 10_000, 300_000}, averages: []float64{4, 8, 10, 17}},
		{name: "simdbloom.Ribbon", step: 0.5, most: 30, keys: [3]int64{500, 30_000, 100_000}, averages: []float64{3, 7, 11}},
		{name: "simdbloom.SplitBlock", step: 0.5, most: 25, keys: [3]int64{1, 9000, 90_000}, averages: []float64{1, 8, 12.9}},
		{name: "leveldb.BuiltinBloomFilter2", step: 1, most: 24, keys: [3]int64{500, 500, 500}, averages: []float64{2, 9.4}},
		{name: "rocksdb.internal.LegacyBloomFilter", step: 1, most: 24, keys: [3]int64{3000, 3000, 3000}, averages: []float64{10.5}},
	} {
		if testing.Short() && row.name == "rocksdb.internal.LegacyBloomFilter" {
			continue // its rates are samples of two million lookups
		}
		type filter struct {
			bytes int64
			rate  float64
		}
		filters := make(map[int64][]filter) // by keys
		for _, n := range row.keys {
			if filters[n] != nil {
				continue
			}
			filters[n] = []filter{{0, 1}}
			hashes := vectors.Hashes(1, int(n))
			for bits := 1.0; bits <= row.most; bits += row.step {
				p := parse(t, fmt.Sprintf("%s:%v", row.name, bits))
				b := p.NewBuilder()
				b.AddHashes(hashes)
				filters[n] = append(filters[n], filter{int64(b.SizeBytes()), p.PredictedFPR(int(n))})
			}
		}
		for _, average := range row.averages {
			most := int64(average * float64(row.keys[0]+row.keys[1]+row.keys[2]) / 8)
			least := 3.0
			for _, a := range filters[row.keys[0]] {
				for _, b := range filters[row.keys[1]] {
					for _, c := range filters[row.keys[2]] {
						if a.bytes+b.bytes+c.bytes <= most {
							least = min(least, a.rate+b.rate+c.rate)
						}
					}
				}
			}
			levels, err := at(parse(t, row.name+":1").ByLevelWithin(most, row.keys[:]...))(row.keys[:]...)
			if err != nil {
				t.Fatal(err)
			}
			if rate, bytes := reads(levels); rate/1000 > least*1.001 || bytes > most {
				t.Errorf("%s, %v bits per key: %v reads in %d bytes, and %v in %d are possible", row.name, average, rate/1000, bytes, least, most)
			}
			checkLevels(t, levels)
		}
	}
}

// checkLevels compares levels with what their policies say.
func checkLevels(t *testing.T, levels []level) {
	t.Helper()
	for i, l := range levels {
		again := parse(t, l.Policy.String())
		if l.Policy.Name() != levels[0].Policy.Name() || again.Name() != l.Policy.Name() || again.BitsPerKey() != l.Policy.BitsPerKey() {
			t.Errorf("level %d: %+v, %v", i, l, l.Policy)
		}
		if l.Policy.BitsPerKey() == 0 && l.FPR != 1 {
			t.Errorf("level %d without a filter: %+v", i, l)
		}
	}
}

// TestByLevelIsNotWorse than the policy in every level, and takes no more memory.
func TestByLevelIsNotWorse(t *testing.T) {
	for _, text := range []string{
		"simdbloom.FastLocal:9.87", "simdbloom.FastLocal:0.7", "simdbloom.Linear:3", "simdbloom.Linear:130",
		"ribbonfilter:10:2", "{id=ribbonfilter:10;bloom_before_level=3}", "simdbloom.SplitBlock:100", "bloomfilter:12:false", "nullptr",
	} {
		p := parse(t, text)
		for _, keys := range [][]int64{{50_000}, {100, 100, 100}, {1, 30_000, 5, 900_000, 77}} {
			levels, err := at(p.ByLevel(keys...))(keys...)
			if err != nil {
				t.Fatal(err)
			}
			same, most := 0.0, int64(0)
			for _, n := range keys {
				same += 1000 * p.PredictedFPR(int(n))
				most += int64(p.SizeBytes(int(n)))
			}
			if rate, bytes := reads(levels); rate > same*1.0001 || bytes > most {
				t.Errorf("%s, %v keys: %v reads in %d bytes, and %v in %d without it", text, keys, rate, bytes, same, most)
			}
			checkLevels(t, levels)
		}
	}
}

// TestNegativeLevels: a negative number is an error.
func TestNegativeLevels(t *testing.T) {
	p := policy.FastLocal(10)
	for _, keys := range [][]int64{{-1}, {1000, math.MinInt64}} {
		if _, err := p.ByLevel(keys...); err == nil {
			t.Errorf("%v keys are no error", keys)
		}
		if _, err := p.ByLevelWithin(1000, keys...); err == nil {
			t.Errorf("%v keys are no error", keys)
		}
	}
	if _, err := p.ByLevelWithin(-1, 1000); err == nil {
		t.Error("-1 bytes are no error")
	}
}

func TestRatesByLevelAtTheEdges(t *testing.T) {
	p := policy.FastLocal(10)
	if levels, err := p.ByLevel(); err != nil || len(levels) != 0 {
		t.Errorf("no levels: %v, %v", levels, err)
	}
	// A level without keys gets the policy, also if there is no other.
	for _, keys := range [][]int64{{0}, {0, 1000, 0}} {
		levels, err := at(p.ByLevel(keys...))(keys...)
		if err != nil {
			t.Fatal(err)
		}
		for i, l := range levels {
			if keys[i] == 0 && (l.Policy.String() != p.String() || l.Bytes != 0 || l.FPR != 0) {
				t.Errorf("%v keys: %+v", keys, l)
			}
		}
	}
	for _, bytes := range []int64{0, 1, 68} { // the smallest filter has 69
		levels, err := at(p.ByLevelWithin(bytes, 10, 1000))(10, 1000)
		if err != nil || levels[0].Policy.BitsPerKey() != 0 || levels[1].Policy.BitsPerKey() != 0 || levels[1].FPR != 1 {
			t.Errorf("%d bytes: %+v, %v", bytes, levels, err)
		}
	}
	// Where all cannot have a filter, the small levels do.
	levels, err := at(p.ByLevelWithin(1_000_000, 10_000, 100_000, 1e12))(10_000, 100_000, 1e12)
	if err != nil || levels[0].FPR > 1e-4 || levels[1].FPR > 1e-4 || levels[2].FPR != 1 {
		t.Errorf("a level too large for a filter: %+v, %v", levels, err)
	}
	levels, err = at(p.ByLevelWithin(math.MaxInt64, 1000, 1e9))(1000, 1e9)
	if err != nil || levels[0].Policy.BitsPerKey() < 90 || levels[1].Policy.BitsPerKey() < 90 {
		t.Errorf("all bytes: %+v, %v", levels, err)
	}
	for _, p := range []*policy.Policy{p, policy.Linear(10), policy.Ribbon(10)} {
		levels, err = at(p.ByLevel(math.MaxInt64, math.MaxInt64, 1))(math.MaxInt64, math.MaxInt64, 1)
		if err != nil || !(levels[0].FPR < 0.02) || levels[0].Bytes < math.MaxInt64/2 {
			t.Errorf("%v, as many keys as there are: %+v, %v", p, levels, err)
		}
	}
	many := make([]int64, 200)
	for i := range many {
		many[i] = int64(1000 * (1 + i%7))
	}
	levels, err = at(p.ByLevel(many...))(many...)
	if rate, _ := reads(levels); err != nil || rate > 200*1000*p.PredictedFPR(4000) {
		t.Errorf("200 levels: %v reads, %v", rate, err)
	}
}

// TestOneLevelTakesAll that there is, wherever it lies between tenths of bits.
func TestOneLevelTakesAll(t *testing.T) {
	for _, bits := range []float64{10.09, 10.88} {
		most := policy.FastLocal(bits).SizeBytes(1e6)
		all, err := policy.FastLocal(1).ByLevelWithin(int64(most), 1e6)
		if err != nil || all[0].SizeBytes(1e6) != most {
			t.Errorf("%v bits per key: %v of %d bytes, %v", bits, all, most, err)
		}
	}
}

// TestSizeBytesByRate, with options and of policies with a rate, too.
func TestSizeBytesByRate(t *testing.T) {
	all := policy.Readers()
	for _, format := range rated {
		p, err := policy.WithFPR(format, 0.01)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	for _, p := range all {
		for _, n := range []int{-1, 0, 1, 100, 5000, 70_000} {
			b := p.NewBuilder()
			for i := range n {
				b.AddHash(uint64(i))
			}
			if got, want := p.SizeBytes(n), b.SizeBytes(); got != want {
				t.Errorf("%v, %d keys: %d bytes, not %d", p, n, got, want)
			}
		}
	}
	p := policy.FastLocal(10)
	if got := p.SizeBytes(1e6, simdbloom.WithMaxBytes(10_000)); got != 9989 {
		t.Errorf("within 10,000 bytes: %d", got)
	}
	if got := p.SizeBytes(1000, simdbloom.WithConcurrency(0)); got != 0 {
		t.Errorf("an invalid option: %d bytes", got)
	}
	if got := parse(t, "bloomfilter:0").SizeBytes(1000); got != 6 {
		t.Errorf("no filter: %d bytes", got)
	}
	if got := policy.LevelDB(1000).SizeBytes(math.MaxInt32); got != math.MaxInt {
		t.Errorf("more keys than a filter has: %d bytes", got)
	}
}

// TestByLevelOfARate: a policy with a rate stands for the memory that it takes in every level.
func TestByLevelOfARate(t *testing.T) {
	keys := []int64{1000, 10_000, 100_000}
	for _, format := range []simdbloom.Format{simdbloom.FastLocal, simdbloom.Linear, simdbloom.Ribbon} {
		p, err := policy.WithFPR(format, 0.01)
		if err != nil {
			t.Fatal(err)
		}
		levels, err := at(p.ByLevel(keys...))(keys...)
		if err != nil {
			t.Fatal(err)
		}
		var most int64
		bytes, same, rate := 0.0, 0.0, 0.0
		for i, l := range levels {
			bytes, most = bytes+l.Bytes, most+int64(p.SizeBytes(int(keys[i])))
			rate, same = rate+l.FPR, same+p.PredictedFPR(int(keys[i]))
		}
		if bytes > float64(most) || rate > same {
			t.Errorf("%v: %v bytes of %d, rate %v, and %v in every level", p, bytes, most, rate, same)
		}
	}
}
