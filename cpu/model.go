//go:build !purego && (amd64 || arm64)

package cpu

import (
	"strings"

	"github.com/klauspost/cpuid/v2"
)

func model() string { return strings.TrimSpace(cpuid.CPU.BrandName) }

func l2() int { return cpuid.CPU.Cache.L2 }
