package experiments

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/simdbloom/simdbloom/bench/internal/command"
)

// settings are the flags.
type settings struct {
	experiments []*experiment
	out, pages  string
	dir         string
	n, times    int64
	rounds      int
	threads     int
	latency     time.Duration
}

func parseSettings(args []string, stderr io.Writer) (*settings, error) {
	s := &settings{experiments: experiments}
	flags := flag.NewFlagSet("db_bench experiments", flag.ContinueOnError)
	command.Out(flags, &s.out)
	command.Pages(flags, &s.pages)
	flags.Func("only", "`list` of experiments (default all):\n"+explainExperiments(), s.setExperiments)
	flags.Int64Var(&s.n, "n", 5_000_000, "`number` of keys that are written to a store, and of lookups in a round")
	flags.Int64Var(&s.times, "times", 100, "`factor` from -n to the lookups of experiment reads, all rounds together")
	command.Rounds(flags, &s.rounds, 5)
	command.Threads(flags, &s.threads, runtime.NumCPU())
	flags.DurationVar(&s.latency, "latency", 100*time.Microsecond, "`time` that each read of a block waits in experiment memory, at least")
	flags.StringVar(&s.dir, "dir", os.TempDir(), "`directory` for the stores; the default settings need 4 GB")
	if err := command.Parse(flags, args, "db_bench experiments -o=FILE [OPTIONS]", stderr); err != nil {
		return nil, fmt.Errorf("%w (-help lists the flags)", err)
	}
	s.out, s.pages, s.dir = command.Path(s.out), command.Path(s.pages), command.Path(s.dir)
	return s, s.check(flags.Args())
}

func (s *settings) setExperiments(list string) error {
	s.experiments = nil
	for name := range strings.SplitSeq(list, ",") {
		x := findExperiment(strings.TrimSpace(name))
		if x == nil {
			return fmt.Errorf("%q is no experiment", name)
		}
		s.experiments = append(s.experiments, x)
	}
	return nil
}

// check returns an error for invalid settings.
func (s *settings) check(arguments []string) error {
	switch {
	case len(arguments) > 0:
		return fmt.Errorf("%q is not a flag", strings.Join(arguments, " "))
	case s.out == "" && s.pages == "":
		return errors.New("-o is needed: the file of the results")
	case s.dir == "":
		return errors.New("-dir must not be empty")
	case s.latency < 0 || s.latency > time.Minute:
		return fmt.Errorf("-latency must be 0 to %v", time.Minute)
	}
	for _, setting := range []struct {
		name               string
		value, least, most int64
	}{
		{"n", s.n, 1000, 1 << 32},
		{"times", s.times, 1, 1 << 20},
		{"rounds", int64(s.rounds), 1, 1000},
		{"threads", int64(s.threads), 1, 4096},
	} {
		if setting.value < setting.least || setting.value > setting.most {
			return fmt.Errorf("-%s must be %d to %d", setting.name, setting.least, setting.most)
		}
	}
	return nil
}
