package policy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
)

// mostBitsPerKey is the most that any format tells from more.
const mostBitsPerKey = 1000

// Parse returns the policy of a name and its bits per key, separated by a colon, such
// as "rocksdb.BloomFilter:10". The package's overview lists the names. Bits per key are
// digits with at most one decimal point, as RocksDB reads them. From 0.5 to 1 they
// count as 1, above 100 as 100 (linear filters: fewer than about 7.35 as that; linear and
// LevelDB's: above 1000 as 1000). Legacy and LevelDB's filters have whole bits per key. Below
// 0.5, and with a minus sign, every filter may contain every key.
//
// A level is a whole number of 32 bits, which may be negative.
//
// In place of the bits per key there may be a false-positive rate, such as "simdbloom.Paired:fpr=0.001": see [WithFPR].
//
// Parse reads all texts that RocksDB's FilterPolicy::CreateFromString reads, objects too: the text may be
// "id=ribbonfilter:10;bloom_before_level=2", with braces around it or without, as RocksDB writes it into its
// OPTIONS files. The option wins over the id's own level. The empty text, "nullptr" and "rocksdb.BuiltinBloomFilter"
// stand for no filter: such a policy reads RocksDB's filters, and its own filters may contain every key.
//
// For any other text the error tells the reason, in one line, and for an unknown name it lists
// near ones and wraps [simdbloom.ErrUnknown]. Parse reads the names of all filters that a Builder makes with a key hash
// of package keyhash, as [Policy.Name] and [simdbloom.Filter.Name] return them. It refuses names under which databases
// record filters of several formats: see [ForName].
func Parse(text string) (*Policy, error) {
	if text == "" || text == "nullptr" {
		return noFilter(text), nil
	}
	o, wrong := object{id: text}, ""
	if name, _, ok := strings.Cut(text, ":"+rateMark); !ok || strings.ContainsAny(name, "={;") {
		o, wrong = parseObject(text)
	}
	if wrong != "" {
		return nil, loadError(text, wrong)
	}
	p, may, wrong := parseID(o.id)
	switch {
	case wrong == unknown:
		name, _, _ := strings.Cut(o.id, ":")
		return nil, contents.Unknown(loadError(text, "unknown name; the nearest are "+nearest(name)))
	case wrong == "":
		wrong = p.configure(may, o.options)
	}
	if wrong != "" {
		return nil, loadError(text, wrong)
	}
	p.text = text
	return p, nil
}

// noFilter returns the policy for options of RocksDB without a filter_policy.
func noFilter(text string) *Policy { return &Policy{kind: fastLocalXXPH3, text: text} }

// parseID reads a name, and returns its policy and the endings that may follow, or the mistake.
func parseID(id string) (p *Policy, may ending, wrong string) {
	if id == builtin {
		return noFilter(id), nothing, ""
	}
	text, rest, _ := strings.Cut(id, ":")
	k, ok := lookUp(text)
	if !ok {
		return nil, nothing, unknown
	}
	if rest == "" {
		return nil, nothing, "bits per key are missing: write, for example, " + text + ":10"
	}
	bitsPerKey, bloomBefore := rest, k.bloomBefore
	switch before, given, ok := strings.Cut(rest, ":"); {
	case k.may == colonBool && (given == "false" || given == "true"):
		bitsPerKey = before
	case k.may == level && ok:
		n, ok := parseInteger(given)
		if !ok {
			return nil, nothing, "the level must be a whole number of 32 bits such as 2 or -1, not " + quoted(given)
		}
		bitsPerKey, bloomBefore = before, n
	}
	if fpr, ok := strings.CutPrefix(bitsPerKey, rateMark); ok {
		p = &Policy{kind: k.kind, text: id, bloomBefore: bloomBefore}
		if value, err := strconv.ParseFloat(fpr, 64); err != nil {
			return nil, nothing, "the false-positive rate must be a number such as 0.001 or 1e-4, not " + quoted(fpr)
		} else if err := p.setFPR(value); err != nil {
			return nil, nothing, err.Error()
		}
		return p, k.may, ""
	}
	value, ok := parseDecimal(bitsPerKey)
	if !ok {
		return nil, nothing, "bits per key must be a decimal number such as 10 or 23.4, not " + quoted(bitsPerKey)
	}
	return &Policy{kind: k.kind, text: id, bitsPerKey: value, bloomBefore: bloomBefore}, k.may, ""
}

func must(format simdbloom.Format, bitsPerKey float64) *Policy {
	p, err := Parse(rows[format].name + ":" + strconv.FormatFloat(bitsPerKey, 'f', -1, 64))
	if err != nil {
		panic(err)
	}
	return p
}

// unknown is parseID's mistake of a name that is not known.
const unknown = "unknown name"

// loadError has RocksDB's words.
func loadError(text, reason string) error {
	return fmt.Errorf("policy: Could not load FilterPolicy: %s: %s", oneLine(text), reason)
}

// oneLine returns the text, or quotes it if it is long or not a line of printable characters.
func oneLine(text string) string {
	if len(text) > mostQuoted || strings.ContainsFunc(text, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return quoted(text)
	}
	return text
}

// mostQuoted is the number of bytes up to which a text is whole in an error.
const mostQuoted = 200

// quoted returns the text in quotes, or its beginning.
func quoted(text string) string {
	if len(text) > mostQuoted {
		return strconv.Quote(text[:mostQuoted]) + "…"
	}
	return strconv.Quote(text)
}

// nearest returns the three known names that need the fewest changes, whole or only the part behind the last dot.
func nearest(text string) string {
	const enough = 100 // bytes: names are shorter
	text = text[:min(len(text), enough)]
	away, names := make(map[string]int), make([]string, 0, len(known))
	for _, k := range known {
		short := k.name[strings.LastIndexByte(k.name, '.')+1:]
		away[k.name] = min(changes(text, k.name), 1+changes(text, short))
		names = append(names, k.name)
	}
	slices.SortStableFunc(names, func(a, b string) int { return away[a] - away[b] })
	return strings.Join(names[:3], ", ")
}

// changes returns how many letters have to be added, removed or replaced to make b out of a, without
// regard to case: the Levenshtein distance.
func changes(a, b string) int {
	a, b = strings.ToLower(a), strings.ToLower(b)
	row := make([]int, len(b)+1) // of a's first letters, to each number of b's
	for k := range row {
		row[k] = k
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for k := range len(b) {
			change := before
			if a[i] != b[k] {
				change = 1 + min(before, row[k], row[k+1])
			}
			before, row[k+1] = row[k+1], change
		}
	}
	return row[len(b)]
}

// parseDecimal reads digits with at most one decimal point, as RocksDB matches
// names with numbers in them (utilities/object_registry.cc, MatchesDecimal).
func parseDecimal(text string) (value float64, ok bool) {
	digits := strings.Replace(strings.TrimPrefix(text, "-"), ".", "", 1)
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return value, false
	}
	value, _ = strconv.ParseFloat(text, 64) // infinite if it is too large for a float
	return min(value, mostBitsPerKey), true
}

// parseInteger reads digits, perhaps after a minus sign, as RocksDB matches names with
// integers in them (likewise, MatchesInteger).
func parseInteger(text string) (value int, ok bool) {
	if strings.HasPrefix(text, "+") {
		return value, false
	}
	n, err := strconv.ParseInt(text, 10, 32)
	return int(n), err == nil
}
