package consumer

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPublished publishes every module that users get, as it is in the clone, and then
// follows the pages without a clone.
func TestPublished(t *testing.T) {
	proxy, modules := t.TempDir(), modules(t)
	version := version(t, modules)
	for _, module := range modules {
		module.publish(t, proxy, version)
	}
	onlyFrom(t, proxy)

	for _, page := range pages(t) {
		t.Run(page.name, func(t *testing.T) { page.test(t, page.release()) })
	}
	t.Run("simdbloom", testCommand)
}

// testCommand installs the command as its page says, runs it on a table, and follows the page.
func testCommand(t *testing.T) {
	install := installs.FindStringSubmatch(read(t, filepath.Join(clone(t), filepath.FromSlash(commandPage))))
	if install == nil {
		t.Fatal("the page has no go install")
	}
	elsewhere := newModule(t) // no go.mod there
	t.Setenv("GOBIN", string(elsewhere))
	elsewhere.goCommand(t, strings.Fields(install[1])...)
	elsewhere.write(t, "000012.sst", read(t, filepath.Join(clone(t), "table", "testdata", "fastlocal-xxh3.sst")))

	command := exec.Command(filepath.Join(string(elsewhere), "simdbloom"), "sst", "000012.sst")
	command.Dir = string(elsewhere)
	output, err := command.CombinedOutput()
	if err != nil || !strings.Contains(string(output), "FastLocal") {
		t.Errorf("simdbloom sst: %v\n%s", err, output)
	}
	followCommands(t, string(elsewhere))
}
