package consumer

import (
	"bufio"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the outputs of commands into docs/command.md again")

const commandPage = "docs/command.md"

var installsClone = regexp.MustCompile("`go (-C \\S+ install \\.)`")

// TestCommandPage installs the command as its page says for a clone, and follows the page.
func TestCommandPage(t *testing.T) {
	install := installsClone.FindStringSubmatch(read(t, filepath.Join(clone(t), filepath.FromSlash(commandPage))))
	if install == nil {
		t.Fatal("the page does not install the command from a clone")
	}
	programs := t.TempDir()
	t.Setenv("GOBIN", programs)
	module(clone(t)).goCommand(t, strings.Fields(install[1])...)
	followCommands(t, programs)
}

// took is how long something took.
var took = regexp.MustCompile(` in \d[\d.]*(µ|m)?s$`)

// followCommands runs a page's commands, lines that begin with a dollar sign, one after the other in one folder with
// the programs of another one, and compares what they print with the lines behind them.
func followCommands(t *testing.T, programs string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: the page's commands are for a Unix shell")
	}
	const indent, prompt = "    ", "    $ "
	t.Setenv("PATH", programs+string(os.PathListSeparator)+os.Getenv("PATH"))
	folder, path := t.TempDir(), filepath.Join(clone(t), filepath.FromSlash(commandPage))
	lines := strings.Split(read(t, path), "\n")
	var written []string
	for i := 0; i < len(lines); i++ {
		written = append(written, lines[i])
		text, isCommand := strings.CutPrefix(lines[i], prompt)
		if !isCommand {
			continue
		}
		var want []string
		for i+1 < len(lines) && strings.HasPrefix(lines[i+1], indent) && !strings.HasPrefix(lines[i+1], prompt) {
			i++
			want = append(want, strings.TrimPrefix(lines[i], indent))
		}
		command := exec.Command("sh", "-c", text)
		command.Dir = folder
		output, err := command.CombinedOutput()
		if err != nil && !errors.As(err, new(*exec.ExitError)) {
			t.Fatalf("%s: %v", text, err)
		}
		var got []string
		for _, line := range strings.FieldsFunc(string(output), func(r rune) bool { return r == '\n' }) {
			got = append(got, took.ReplaceAllString(line, ""))
			written = append(written, indent+line)
		}
		for j := range want {
			want[j] = took.ReplaceAllString(want[j], "")
		}
		if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w && !*update {
			t.Errorf("%s: %s prints\n%s\nnot\n%s", commandPage, text, g, w)
		}
	}
	if *update {
		if err := os.WriteFile(path, []byte(strings.Join(written, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestProgress: scripts/progress prints a package's line while the command goes on, which here ends only after that.
func TestProgress(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: it is a script for a Unix shell")
	}
	seen := filepath.Join(t.TempDir(), "seen")
	command := exec.Command("scripts/progress", "sh", "-c", `printf 'ok  \tone\t1s\n'; until [ -e "$0" ]; do sleep 0.1; done; exit 3`, seen)
	command.Dir = clone(t)
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	var last string
	for lines := bufio.NewScanner(output); lines.Scan(); {
		if last = lines.Text(); strings.HasPrefix(last, "[  1 of ") {
			if err := os.WriteFile(seen, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := command.Wait(); command.ProcessState.ExitCode() != 3 || !strings.HasSuffix(last, " failed") {
		t.Errorf("%v after %q, not exit status 3 after failed", err, last)
	}
}
