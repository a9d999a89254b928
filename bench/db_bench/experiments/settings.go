package experiments

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/simdbloom/simdbloom/bench/internal/command"
	"github.com/simdbloom/simdbloom/internal/test/measured"
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
	measured.Out(flags, &s.out)
	measured.Pages(flags, &s.pages)
	flags.Func("only", "`list` of experiments (default all):\n"+explainExperiments(), s.setExperiments)
	command.Number(flags, &s.n, "n", 5_000_000, 1000, 1<<32, "`number` of keys that are written to a store, and of lookups in a round")
	command.Number(flags, &s.times, "times", 100, 1, 1<<20, "`factor` from -n to the lookups of experiment reads, all rounds together")
	command.Rounds(flags, &s.rounds, 5)
	command.Threads(flags, &s.threads, runtime.NumCPU())
	flags.DurationVar(&s.latency, "latency", 100*time.Microsecond, "`time` that each read of a block waits in experiment memory, at least")
	measured.File(flags, &s.dir, "dir", "`directory` for the stores (default a temporary one); the default settings need 4 GB")
	if err := command.Parse(flags, args, "db_bench experiments -o=FILE [OPTIONS]", stderr); err != nil {
		return nil, err
	}
	switch {
	case s.out == "" && s.pages == "":
		return nil, errors.New("-o is needed: the file of the results")
	case s.latency < 0:
		return nil, errors.New("-latency must not be below 0")
	}
	return s, nil
}

func (s *settings) setExperiments(list string) error {
	s.experiments = nil
	for name := range strings.SplitSeq(list, ",") {
		i := slices.IndexFunc(experiments, func(x *experiment) bool { return x.name == strings.TrimSpace(name) })
		if i < 0 {
			return fmt.Errorf("%q is no experiment", name)
		}
		s.experiments = append(s.experiments, experiments[i])
	}
	return nil
}
