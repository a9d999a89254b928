//go:build purego || (!amd64 && !arm64)

package cpu

func detect() Level { return Generic }

func model() string { return "" }

func l2() int { return 0 }
