//go:build purego || (!amd64 && !arm64)

package cpu

func detect() Level { return Generic }

func model() string { return "" }

func caches() (l2, l3 int) { return 0, 0 }
