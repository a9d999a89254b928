package cpu

import (
	"strings"
	"testing"
)

var levels = []Level{Generic, AVX2, AVX512, NEON}

func TestLevelsAreOrdered(t *testing.T) {
	includes := map[Level]string{Generic: "generic", AVX2: "generic avx2", AVX512: "generic avx2 avx512", NEON: "generic neon"}
	for _, l := range levels {
		for _, m := range levels {
			if got, want := l.Includes(m), strings.Contains(" "+includes[l]+" ", " "+m.String()+" "); got != want {
				t.Errorf("%v includes %v: %v, want %v", l, m, got, want)
			}
			if low := lower(l, m); !l.Includes(low) || !m.Includes(low) {
				t.Errorf("lower(%v, %v) = %v, which one of them does not include", l, m, low)
			}
		}
	}
	if lower(AVX512, AVX2) != AVX2 || lower(AVX2, AVX512) != AVX2 || lower(NEON, AVX2) != Generic {
		t.Error("lower is not the highest level that both include")
	}
}

func TestChooseFromTheEnvironment(t *testing.T) {
	for _, c := range []struct {
		machine Level
		word    string
		want    Level
		problem bool
	}{
		{AVX512, "", AVX512, false},
		{AVX512, "avx512", AVX512, false},
		{AVX512, "avx2", AVX2, false},
		{AVX512, "AVX2", AVX2, false},
		{AVX512, "generic", Generic, false},
		{AVX2, "avx512", AVX2, false}, // more than the machine has: lowered
		{Generic, "avx512", Generic, false},
		{NEON, "neon", NEON, false},
		{NEON, "avx2", Generic, false}, // another architecture's level
		{AVX512, "neon", Generic, false},
		{AVX512, "sse9", Generic, true},
		{NEON, " neon", Generic, true},
	} {
		got, err := choose(c.machine, c.word)
		if got != c.want || (err != nil) != c.problem {
			t.Errorf("%v with %s=%q: %v, %v; want %v", c.machine, Variable, c.word, got, err, c.want)
		}
		if err != nil && !strings.Contains(err.Error(), c.word) {
			t.Errorf("problem %q does not name the word %q", err, c.word)
		}
	}
}

func TestLoweringAndRestoring(t *testing.T) {
	before := Current()
	restoreOuter := Limit(AVX2)
	if !Level(AVX2).Includes(Current()) {
		t.Errorf("limited to avx2, the level is %v", Current())
	}
	restoreInner := Limit(Generic)
	if Current() != Generic {
		t.Errorf("limited to generic, the level is %v", Current())
	}
	undo := Limit(AVX512)
	if Current() != Generic {
		t.Errorf("a limit has raised the level to %v", Current())
	}
	undo()
	restoreInner()
	restoreOuter()
	if Current() != before {
		t.Errorf("restored to %v, not to %v", Current(), before)
	}
	if !Machine().Includes(Current()) {
		t.Errorf("level %v on a machine of level %v", Current(), Machine())
	}
}

func TestLevelNames(t *testing.T) {
	if got := Level(200).String(); got != "cpu.Level(200)" {
		t.Errorf("an unknown level prints as %q", got)
	}
}
