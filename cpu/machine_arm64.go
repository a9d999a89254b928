//go:build !purego

package cpu

import (
	"strings"

	"github.com/klauspost/cpuid/v2"
)

func model() string { return strings.TrimSpace(cpuid.CPU.BrandName) }

func numbers() (family, model int) { return cpuid.CPU.Family, cpuid.CPU.Model }

func isIntel() bool { return cpuid.CPU.VendorID == cpuid.Intel }

func isZen4() bool { return false }

func caches() (l2, last int) { return cpuid.CPU.Cache.L2, cpuid.CPU.Cache.L3 }
