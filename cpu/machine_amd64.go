//go:build !purego

package cpu

import (
	"encoding/binary"
	"strings"
)

// A virtual machine traps CPUID, which takes about 10 microseconds, so a program executes few of them when it starts.
// (Package cpuid, which finds out everything, takes 0.5 to 0.9 ms.)

func cpuid(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32)

// Leaves of CPUID, from Intel's and AMD's manuals.
const (
	leafVendor         = 0 // and the last leaf
	leafSignature      = 1
	leafCaches         = 4 // Intel
	leafLastExtended   = 0x80000000
	leafFeatures       = 0x80000001 // AMD: has leafExtendedCaches
	leafBrand          = 0x80000002 // the first of three
	leafSecondCache    = 0x80000006 // AMD
	leafExtendedCaches = 0x8000001d // AMD: as leafCaches
)

var vendor, lastLeaf = vendorOf()

func vendorOf() (vendor string, last uint32) {
	last, b, c, d := cpuid(leafVendor, 0)
	return registers(b, d, c), last
}

// registers returns the text in registers.
func registers(of ...uint32) string {
	var text []byte
	for _, register := range of {
		text = binary.LittleEndian.AppendUint32(text, register)
	}
	return string(text)
}

func isIntel() bool { return vendor == "GenuineIntel" }

// isZen4 holds for Zen 3, too, which has no AVX-512.
func isZen4() bool {
	if vendor != "AuthenticAMD" {
		return false
	}
	family, _ := numbers()
	return family == 25
}

func model() string {
	if last, _, _, _ := cpuid(leafLastExtended, 0); last < leafBrand+2 {
		return ""
	}
	name := ""
	for leaf := uint32(leafBrand); leaf <= leafBrand+2; leaf++ {
		a, b, c, d := cpuid(leaf, 0)
		name += registers(a, b, c, d)
	}
	name, _, _ = strings.Cut(name, "\x00")
	return strings.TrimSpace(name)
}

func numbers() (family, model int) {
	signature, _, _, _ := cpuid(leafSignature, 0)
	return numbersOf(signature)
}

// numbersOf returns the family and model of a processor's signature, whose extended fields are added.
func numbersOf(signature uint32) (family, model int) {
	family, model = int(signature>>8&15), int(signature>>4&15)
	if family == 6 || family == 15 {
		model += int(signature >> 16 & 15 << 4)
	}
	if family == 15 {
		family += int(signature >> 20 & 0xff)
	}
	return family, model
}

// caches returns 0 for sizes that the processor does not report.
func caches() (l2, last int) {
	switch vendor {
	case "GenuineIntel":
		if lastLeaf >= leafCaches {
			return cachesIn(leafCaches)
		}
	case "AuthenticAMD", "HygonGenuine":
		extended, _, _, _ := cpuid(leafLastExtended, 0)
		if extended >= leafExtendedCaches {
			const topologyExtensions = 1 << 22
			if _, _, c, _ := cpuid(leafFeatures, 0); c&topologyExtensions != 0 {
				l2, last = cachesIn(leafExtendedCaches)
			}
		}
		if l2 == 0 && extended >= leafSecondCache {
			_, _, c, _ := cpuid(leafSecondCache, 0)
			l2 = int(c>>16) << 10
		}
	}
	return l2, last
}

// cachesIn reads a leaf with a subleaf for each cache, the last-level one at the end. Xen gives the same one for ever.
func cachesIn(leaf uint32) (l2, last int) {
	const most = 8
	for subleaf := uint32(0); subleaf < most && last == 0; subleaf++ {
		a, b, c, _ := cpuid(leaf, subleaf)
		if a&31 == 0 { // no cache
			break
		}
		line, partitions, ways, sets := b&0xfff+1, b>>12&0x3ff+1, b>>22+1, c+1
		switch size := int(line) * int(partitions) * int(ways) * int(sets); a >> 5 & 7 {
		case 2:
			l2 = size
		case 3:
			last = size
		}
	}
	return l2, last
}
