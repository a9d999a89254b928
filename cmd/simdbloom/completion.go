package main

import (
	"flag"
	"fmt"
	"io"
	"strings"
)

const aboutCompletion = `For the current shell:

  source <(simdbloom completion bash)     # or zsh
  simdbloom completion fish | source

For all later ones, write the output to where the shell looks for it:

  simdbloom completion bash > ~/.local/share/bash-completion/completions/simdbloom
  simdbloom completion zsh > "${fpath[1]}/_simdbloom"
  simdbloom completion fish > ~/.config/fish/completions/simdbloom.fish`

func printCompletion(w io.Writer, args []string) error {
	if len(args) != 1 {
		return badUsage("name a shell: bash, zsh or fish")
	}
	var text string
	switch args[0] {
	case "bash":
		text = bashCompletion()
	case "zsh":
		text = zshCompletion()
	case "fish":
		text = fishCompletion()
	default:
		return badUsage("the shell must be bash, zsh or fish, not %q", args[0])
	}
	_, err := io.WriteString(w, text)
	return err
}

func commandNames() string {
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	return strings.Join(names, " ")
}

// words may follow a command, apart from files.
func (c *command) words() string {
	switch c.name {
	case "completion":
		return "bash zsh fish"
	case "help":
		return commandNames()
	}
	return ""
}

// takesValue reports whether a flag is followed by a value.
func takesValue(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return !ok || !b.IsBoolFlag()
}

func bashCompletion() string {
	var text strings.Builder
	fmt.Fprintf(&text, `# bash completion of simdbloom
_simdbloom() {
	local current=${COMP_WORDS[COMP_CWORD]} words= flags=
	COMPREPLY=()
	if [ "$COMP_CWORD" = 1 ]; then
		COMPREPLY=($(compgen -W "%s" -- "$current"))
		return
	fi
	case ${COMP_WORDS[1]} in
`, commandNames())
	for _, c := range commands() {
		var flags []string
		c.flags().VisitAll(func(f *flag.Flag) { flags = append(flags, "-"+f.Name) })
		fmt.Fprintf(&text, "\t%s) words=\"%s\" flags=\"%s\" ;;\n", c.name, c.words(), strings.Join(flags, " "))
	}
	fmt.Fprintf(&text, `	esac
	case $current in
	-*) words=$flags ;;
	esac
	case ${COMP_WORDS[COMP_CWORD-1]} in
	-format | --format) words="%s" ;;
	esac
	COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _simdbloom simdbloom
`, strings.Join(formatNames(), " "))
	return text.String()
}

func zshCompletion() string {
	quote := strings.NewReplacer("'", `'\''`, "[", "(", "]", ")", ":", ",", "\\", "")
	var text strings.Builder
	text.WriteString("#compdef simdbloom\n_simdbloom() {\n\tlocal -a commands\n\tcommands=(\n")
	for _, c := range commands() {
		fmt.Fprintf(&text, "\t\t'%s:%s'\n", c.name, quote.Replace(c.brief))
	}
	text.WriteString("\t)\n\tif (( CURRENT == 2 )); then\n\t\t_describe command commands\n\t\treturn\n\tfi\n\tlocal name=$words[2]\n\tshift words\n\t(( CURRENT-- ))\n\tcase $name in\n")
	for _, c := range commands() {
		fmt.Fprintf(&text, "\t%s)\n\t\t_arguments", c.name)
		c.flags().VisitAll(func(f *flag.Flag) {
			value, usage := flag.UnquoteUsage(f)
			fmt.Fprintf(&text, " \\\n\t\t\t'-%s[%s]", f.Name, quote.Replace(usage))
			switch {
			case f.Name == "format":
				fmt.Fprintf(&text, ":%s:(%s)", quote.Replace(value), strings.Join(formatNames(), " "))
			case takesValue(f):
				fmt.Fprintf(&text, ":%s:_files", quote.Replace(value))
			}
			text.WriteByte('\'')
		})
		switch {
		case c.words() != "":
			fmt.Fprintf(&text, " \\\n\t\t\t'*:name:(%s)'", c.words())
		case c.args != "":
			text.WriteString(" \\\n\t\t\t'*:file:_files'")
		}
		text.WriteString(" ;;\n")
	}
	text.WriteString("\tesac\n}\nif [ \"$funcstack[1]\" = _simdbloom ]; then _simdbloom; else compdef _simdbloom simdbloom; fi\n")
	return text.String()
}

func fishCompletion() string {
	quote := strings.NewReplacer("'", `\'`, "\\", "")
	var text strings.Builder
	text.WriteString("# fish completion of simdbloom\n")
	for _, c := range commands() {
		fmt.Fprintf(&text, "complete -c simdbloom -n __fish_use_subcommand -f -a %s -d '%s'\n", c.name, quote.Replace(c.brief))
		in := "-n '__fish_seen_subcommand_from " + c.name + "'"
		c.flags().VisitAll(func(f *flag.Flag) {
			_, usage := flag.UnquoteUsage(f)
			fmt.Fprintf(&text, "complete -c simdbloom %s -o %s -d '%s'", in, f.Name, quote.Replace(usage))
			switch {
			case f.Name == "format":
				fmt.Fprintf(&text, " -x -a '%s'", strings.Join(formatNames(), " "))
			case takesValue(f):
				text.WriteString(" -r")
			}
			text.WriteByte('\n')
		})
		if words := c.words(); words != "" {
			fmt.Fprintf(&text, "complete -c simdbloom %s -f -a '%s'\n", in, words)
		}
	}
	return text.String()
}
