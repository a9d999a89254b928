package fallback

// A filter's hashes are put into parts before their equations are added. The slots of a part are
// neighbours, so its equations stay in the cache.

// RibbonPartSlots is the number of slots that the equations of a part begin at.
const RibbonPartSlots = 1 << ribbonPartShift

const ribbonPartShift = 12

// Parts returns the number of parts.
func (s *RibbonShape) Parts() int {
	return (s.Slots + RibbonPartSlots - 1) / RibbonPartSlots
}

// CountParts adds the number of hashes in each part to its count.
func (s *RibbonShape) CountParts(counts []uint32, hashes []uint64) {
	for _, hash := range hashes {
		start, _ := s.Start(hash)
		counts[start>>ribbonPartShift]++
	}
}

// SortByPart puts each hash where the next one of its part belongs, and moves that on.
func (s *RibbonShape) SortByPart(to []uint64, next []uint32, hashes []uint64) {
	for _, hash := range hashes {
		start, _ := s.Start(hash)
		at := &next[start>>ribbonPartShift]
		to[*at] = hash
		*at++
	}
}
