//go:build purego || (!amd64 && !arm64)

package cpu

func detect() Level { return Generic }

func model() string { return "" }

func numbers() (family, model int) { return 0, 0 }

func isIntel() bool { return false }

func isZen4() bool { return false }

func caches() (l2, last int) { return 0, 0 }
