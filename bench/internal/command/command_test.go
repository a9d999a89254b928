package command

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"testing"
)

// failing is a full disk.
type failing struct{ error }

func (f failing) Write([]byte) (int, error) { return 0, f.error }

func TestExitStatus(t *testing.T) {
	bad := errors.New("bad")
	for _, c := range []struct {
		parse, do error
		stdout    io.Writer
		status    int
		said      string
	}{
		{nil, nil, io.Discard, 0, ""},
		{flag.ErrHelp, bad, io.Discard, 0, ""},
		{bad, nil, io.Discard, 2, "name: bad\n"},
		{nil, bad, io.Discard, 1, "name: bad\n"},
		{nil, nil, failing{bad}, 1, "name: bad\n"},
		{nil, errors.New("worse"), failing{bad}, 1, "name: worse\n"},
	} {
		var stderr bytes.Buffer
		status := Run("name", []string{"argument"}, c.stdout, &stderr,
			func(args []string, _ io.Writer) (int, error) { return len(args), c.parse },
			func(settings int, stdout, _ io.Writer) error {
				if settings != 1 {
					t.Errorf("%d arguments", settings)
				}
				_, _ = io.WriteString(stdout, "text")
				return c.do
			})
		if status != c.status || stderr.String() != c.said {
			t.Errorf("parsing %v, doing %v: status %d, %q", c.parse, c.do, status, stderr.String())
		}
	}
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		args []string
		said string // on stderr
		fail string
	}{
		{nil, "", ""},
		{[]string{"-n=2", "-share=0.5"}, "", ""},
		{[]string{"-help"}, "USAGE: name [OPTIONS]\n\n  -n number\n    \ta number (default 1)\n  -share part\n    \ta part (default 1)\n", flag.ErrHelp.Error()},
		{[]string{"-m=2"}, "", "flag provided but not defined: -m (-help lists the flags)"},
		{[]string{"-n=0"}, "", `invalid value "0" for flag -n: must be 1 to 1000 (-help lists the flags)`},
		{[]string{"-n=1001"}, "", `invalid value "1001" for flag -n: must be 1 to 1000 (-help lists the flags)`},
		{[]string{"-n=many"}, "", `invalid value "many" for flag -n: must be 1 to 1000 (-help lists the flags)`},
		{[]string{"-n=1.5"}, "", `invalid value "1.5" for flag -n: must be a whole number (-help lists the flags)`},
		{[]string{"-share=NaN"}, "", `invalid value "NaN" for flag -share: must be 0 to 1 (-help lists the flags)`},
		{[]string{"more"}, "", `"more" is not a flag`},
	} {
		var stderr bytes.Buffer
		var n int
		var share float64
		flags := flag.NewFlagSet("name", flag.ContinueOnError)
		Number(flags, &n, "n", 1, 1, 1000, "a `number`")
		Number(flags, &share, "share", 1, 0, 1, "a `part`")
		err := Parse(flags, c.args, "name [OPTIONS]", &stderr)
		if (err == nil) != (c.fail == "") || err != nil && err.Error() != c.fail || stderr.String() != c.said {
			t.Errorf("%q: %v, %q", c.args, err, stderr.String())
		}
		if err == nil && c.args != nil && (n != 2 || share != 0.5) {
			t.Errorf("%q: %d, %v", c.args, n, share)
		}
	}
}
