package neon

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// A word is an instruction that was encoded by hand, and the comment beside it.
type word struct {
	encoding uint32
	meaning  string
}

// reader is a disassembler of Go's or GNU's.
type reader struct {
	name    string
	read    func(t *testing.T, words []word) []string // a line for each
	meaning func(meaning string) string               // as the reader writes it
}

var readers = []reader{
	{"go tool objdump", readByGo, func(meaning string) string { return meaning }},
	{"GNU objdump", readByGNU, gnu},
}

// TestWordsAreWhatTheyAreSaidToBe disassembles every WORD of the kernels with both readers,
// and the methods' words for the lowest and highest registers and numbers.
func TestWordsAreWhatTheyAreSaidToBe(t *testing.T) {
	all := append(ofKernels(t), ofMethods(t)...)
	for _, r := range readers {
		t.Run(r.name, func(t *testing.T) {
			if err := compare(r, all, r.read(t, all)); err != nil {
				t.Error(err)
			}
			t.Logf("%d words", len(all))
		})
	}
}

// TestReadersFindWrongWords gives each reader words with one wrong bit, each bit in turn.
func TestReadersFindWrongWords(t *testing.T) {
	for _, r := range readers {
		t.Run(r.name, func(t *testing.T) {
			var wrong []word
			for _, w := range ofMethods(t) {
				for bit := range 32 {
					wrong = append(wrong, word{w.encoding ^ 1<<bit, w.meaning})
				}
			}
			lines := r.read(t, wrong)
			if len(lines) != len(wrong) {
				t.Fatalf("%d lines for %d words", len(lines), len(wrong))
			}
			for i, w := range wrong {
				if compare(r, wrong[i:i+1], lines[i:i+1]) == nil {
					t.Errorf("%#08x passes for %q", w.encoding, w.meaning)
				}
			}
		})
	}
}

func compare(r reader, words []word, lines []string) (err error) {
	if len(lines) != len(words) {
		return fmt.Errorf("%d lines for %d words", len(lines), len(words))
	}
	for i, w := range words {
		if want := r.meaning(w.meaning); lines[i] != want {
			err = errors.Join(err, fmt.Errorf("%#08x is %q, not %q", w.encoding, lines[i], want))
		}
	}
	return err
}

var wordLine = regexp.MustCompile(`(?m)^\tWORD +\$0x([0-9a-f]{8}) // (.*)$`)

// wordsOf returns the words of an assembly file, all of them.
func wordsOf(t *testing.T, assembly []byte) (words []word) {
	t.Helper()
	for _, found := range wordLine.FindAllSubmatch(assembly, -1) {
		encoding, err := strconv.ParseUint(string(found[1]), 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		words = append(words, word{uint32(encoding), string(found[2])})
	}
	if n := bytes.Count(assembly, []byte("WORD")); n != len(words) {
		t.Fatalf("%d of %d words have a meaning", len(words), n)
	}
	return words
}

// ofKernels returns the words of all kernels, as they were committed.
func ofKernels(t *testing.T) (words []word) {
	t.Helper()
	files, err := filepath.Glob("../../../asm/*_arm64.s")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		assembly, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		words = append(words, wordsOf(t, assembly)...)
	}
	if len(words) == 0 {
		t.Fatal("the kernels have no word")
	}
	return words
}

// ofMethods returns words of every method that emits one.
func ofMethods(t *testing.T) []word {
	t.Helper()
	f := kernel.NewFile("arm64", nil)
	fn := NewFunction(f, "words", "func()")
	for _, v := range [][3]V{{0, 0, 0}, {31, 0, 0}, {0, 31, 0}, {0, 0, 31}, {21, 10, 16}} {
		fn.UminpB16(v[0], v[1], v[2])
		fn.CmhiS4(v[0], v[1], v[2])
		fn.UmullD2(v[0], v[1], v[2])
		fn.Umull2D2(v[0], v[1], v[2])
		fn.UshlH8(v[0], v[1], v[2])
		fn.UshlS4(v[0], v[1], v[2])
		fn.UshlD2(v[0], v[1], v[2])
		for lane := range 4 {
			fn.MulByLaneS4(v[0], v[1], v[2], lane)
			fn.MlaByLaneS4(v[0], v[1], v[2], lane)
			fn.UmullByLaneD2(v[0], v[1], v[2], lane)
			fn.Umull2ByLaneD2(v[0], v[1], v[2], lane)
		}
		for by := 1; by <= 8; by++ {
			fn.ShrnB8(v[0], v[1], by)
			fn.Shrn2B16(v[0], v[1], by)
		}
	}
	for _, x := range [][2]X{{0, 0}, {26, 0}, {0, 26}, {21, 10}} {
		fn.LdrQAt(0, x[0], x[1])
		fn.LdrQAt(31, x[0], x[1])
	}
	fn.Return()
	assembly, err := f.Assembly("words")
	if err != nil {
		t.Fatal(err)
	}
	return wordsOf(t, assembly)
}

// readByGo assembles the words and disassembles them with Go's own tool.
func readByGo(t *testing.T, words []word) (lines []string) {
	t.Helper()
	source, object := filepath.Join(t.TempDir(), "words.s"), filepath.Join(t.TempDir(), "words.o")
	text := "TEXT ·words(SB), 4, $0\n"
	for _, w := range words {
		text += fmt.Sprintf("\tWORD $%#x\n", w.encoding)
	}
	if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	run(t, "go", "tool", "asm", "-p", "words", "-o", object, source)
	line := regexp.MustCompile(`(?m)^ +words\.s:\d+\t+0x[0-9a-f]+\t+([0-9a-f]{8})\t+(.*?)\s*$`)
	for i, found := range line.FindAllSubmatch(run(t, "go", "tool", "objdump", object), -1) {
		if i == len(words) {
			break // what fills the function up
		}
		if string(found[1]) != fmt.Sprintf("%08x", words[i].encoding) {
			t.Fatalf("line %d is of %s, not of %08x", i, found[1], words[i].encoding)
		}
		lines = append(lines, string(found[2]))
	}
	return lines
}

// readByGNU disassembles the words with binutils.
func readByGNU(t *testing.T, words []word) (lines []string) {
	t.Helper()
	const objdump = "aarch64-linux-gnu-objdump"
	if _, err := exec.LookPath(objdump); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skipf("%v (Debian: apt-get install binutils-aarch64-linux-gnu)", err)
	}
	var raw []byte
	for _, w := range words {
		raw = binary.LittleEndian.AppendUint32(raw, w.encoding)
	}
	file := filepath.Join(t.TempDir(), "words")
	if err := os.WriteFile(file, raw, 0o666); err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^ +[0-9a-f]+:\t[0-9a-f]{8} \t(.*)$`)
	for _, found := range line.FindAllSubmatch(run(t, objdump, "-D", "-z", "-b", "binary", "-m", "aarch64", file), -1) {
		lines = append(lines, strings.TrimSpace(strings.ReplaceAll(string(found[1]), "\t", " ")))
	}
	return lines
}

func run(t *testing.T, name string, args ...string) []byte {
	t.Helper()
	command := exec.Command(name, args...)
	command.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64")
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", command, err, out)
	}
	return out
}

var (
	load     = regexp.MustCompile(`^FMOVQ \(R(\d+)\)\(R(\d+)\), F(\d+)$`)
	arranged = regexp.MustCompile(`^V(\d+)\.([BHSD])(\d*)(\[\d+\])?$`)
)

// gnu returns the meaning in the words of Arm's manual, which has operands the other way
// around.
func gnu(meaning string) string {
	if part := load.FindStringSubmatch(meaning); part != nil {
		return fmt.Sprintf("ldr q%s, [x%s, x%s]", part[3], part[1], part[2])
	}
	opcode, operands, _ := strings.Cut(meaning, " ")
	var reversed []string
	for _, o := range strings.Split(operands, ", ") {
		if number, ok := strings.CutPrefix(o, "$"); ok {
			o = "#" + number
		} else if part := arranged.FindStringSubmatch(o); part != nil {
			o = "v" + part[1] + "." + part[3] + strings.ToLower(part[2]) + part[4]
		}
		reversed = append([]string{o}, reversed...)
	}
	return strings.ToLower(strings.TrimPrefix(opcode, "V")) + " " + strings.Join(reversed, ", ")
}
