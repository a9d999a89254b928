package vectors

// A Shard is a shard of 1,024 that its keys' hashes chose by some rule.
type Shard struct {
	Rule string

	odd   uint64 // the hash's multiplier
	shift uint   // of the product's ten bits that are the shard
}

// Shards has the rules that stores use, and those that take bits which filters use.
var Shards = []Shard{
	{"the top 10 bits", 1, 54},
	{"the top 10 bits of the lower half", 1, 22},
	{"the low 10 bits", 1, 0},
	{"the top 10 bits of hash * 0x9E3779B97F4A7C15", 0x9e3779b97f4a7c15, 54},
	{"the top 10 bits of hash * 0xD6E8FEB86659FD93", 0xd6e8feb86659fd93, 54},
}

// Hash returns a hash of the shard, random if the given number is.
func (s Shard) Hash(random uint64) uint64 {
	const number, mask = 677, 1<<10 - 1 // any shard
	product := random&^(mask<<s.shift) | number<<s.shift
	inverse := s.odd // modulo 2^64, by Newton's iteration
	for range 5 {
		inverse *= 2 - s.odd*inverse
	}
	return product * inverse
}
