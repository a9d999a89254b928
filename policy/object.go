package policy

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// spaces are C's, which RocksDB skips.
const spaces = " \t\n\v\f\r"

// object is a policy in the notation of RocksDB's options: an id, and options that win over the
// id's own. RocksDB writes Ribbon policies so since version 8.7, in braces:
// "{id=ribbonfilter:10:0;bloom_before_level=0;}".
type object struct {
	id      string
	options map[string]string
}

// parseObject reads a text with an equals sign. As in RocksDB, one without is an id
// (Configurable::GetOptionsMap in options/configurable.cc).
func parseObject(text string) (o object, wrong string) {
	if !strings.Contains(text, "=") {
		return object{id: text}, ""
	}
	options, wrong := parseOptions(text)
	if wrong != "" {
		return o, wrong
	}
	id, ok := options["id"]
	if !ok {
		return o, "an object must have an id: write, for example, id=bloomfilter:10"
	}
	delete(options, "id")
	return object{id, options}, ""
}

// parseOptions reads "key=value;key={value}", in any number of braces. Of equal keys the last one counts
// (StringToMap in options/options_helper.cc; RocksDB 11.8 keeps the braces around an id, and refuses it).
func parseOptions(text string) (options map[string]string, wrong string) {
	text = strings.Trim(text, spaces)
	for len(text) > 2 && text[0] == '{' && text[len(text)-1] == '}' {
		text = strings.Trim(text[1:len(text)-1], spaces)
	}
	options = make(map[string]string)
	for text != "" {
		at := strings.IndexAny(text, "={};")
		if at < 0 || text[at] != '=' {
			return nil, "options must be key=value, separated by semicolons"
		}
		key := strings.Trim(text[:at], spaces)
		if key == "" {
			return nil, "an option has no key"
		}
		if options[key], text, wrong = cutValue(text[at+1:]); wrong != "" {
			return nil, wrong
		}
	}
	return options, ""
}

// cutValue returns a value, without the braces around it, and the text after the semicolon behind it.
func cutValue(text string) (value, rest, wrong string) {
	text = strings.TrimLeft(text, spaces)
	if !strings.HasPrefix(text, "{") {
		value, rest, _ = strings.Cut(text, ";")
		return strings.TrimRight(value, spaces), rest, ""
	}
	end := closingBrace(text)
	if end < 0 {
		return "", "", "a brace is not closed"
	}
	value = strings.Trim(text[1:end], spaces)
	rest = strings.TrimLeft(text[end+1:], spaces)
	if rest != "" && rest[0] != ';' {
		return "", "", "after a closing brace there must be a semicolon"
	}
	return value, strings.TrimPrefix(rest, ";"), ""
}

// closingBrace returns where the brace that begins the text is closed, or -1.
func closingBrace(text string) int {
	open := 0
	for i := range len(text) {
		switch text[i] {
		case '{':
			open++
		case '}':
			if open--; open == 0 {
				return i
			}
		}
	}
	return -1
}

// configure sets the options of an object: only Ribbon's have one. It returns the mistake, or nothing.
func (p *Policy) configure(may ending, options map[string]string) (wrong string) {
	for _, key := range slices.Sorted(maps.Keys(options)) {
		value := options[key]
		if may != level || strings.TrimPrefix(key, "ribbonfilter.") != "bloom_before_level" {
			return "unknown option " + quoted(key) + " (bloom_before_level is one of ribbonfilter)"
		}
		n, ok := parseOption(unescape(value))
		if !ok {
			return "bloom_before_level must be a whole number of 32 bits such as 2 or -1, not " + quoted(value)
		}
		p.bloomBefore = n
	}
	return ""
}

// unescape removes backslashes (UnescapeOptionString in util/string_util.cc).
func unescape(value string) string {
	if !strings.Contains(value, `\`) {
		return value
	}
	var plain strings.Builder
	escaped := false
	for i := range len(value) {
		c := value[i]
		switch {
		case escaped && c == 'n':
			c = '\n'
		case escaped && c == 'r':
			c = '\r'
		case !escaped && c == '\\':
			escaped = true
			continue
		}
		escaped = false
		plain.WriteByte(c)
	}
	return plain.String()
}

// parseOption reads an option's number as RocksDB does (ParseInt in util/string_util.cc): spaces and
// a sign may precede the digits, which a K, M or G multiplies by powers of 1024, within 32 bits. Anything else
// behind them is ignored.
func parseOption(value string) (n int, ok bool) {
	value = strings.TrimLeft(value, spaces)
	end := 0
	if value != "" && (value[0] == '-' || value[0] == '+') {
		end++
	}
	for end < len(value) && value[end] >= '0' && value[end] <= '9' {
		end++
	}
	number, err := strconv.ParseInt(value[:end], 10, 32)
	if err != nil {
		return n, false
	}
	shift := 0
	if end < len(value) {
		shift = map[byte]int{'k': 10, 'K': 10, 'm': 20, 'M': 20, 'g': 30, 'G': 30}[value[end]]
	}
	return int(int32(number) << shift), true
}
