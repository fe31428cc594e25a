package main

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/go-op2/op2/internal/spell"
)

// completionCommand prints a script that completes commands and flags in a shell.
func completionCommand(c console, args []string) error {
	f := newFlags("completion", "bash | zsh | fish")
	if err := parseFlags(c, f, args); err != nil {
		return err
	}
	if f.NArg() != 1 {
		return wrongUse(f, errors.New("which shell?"))
	}
	switch shell := f.Arg(0); shell {
	case "bash":
		completeBash(c.results)
	case "zsh":
		completeZsh(c.results)
	case "fish":
		completeFish(c.results)
	default:
		return wrongUse(f, fmt.Errorf("there is no shell %q%s", shell, spell.DidYouMean(shell, []string{"bash", "zsh", "fish"})))
	}
	return nil
}

// flagsOf returns the names of a command's flags, as its help lists them.
func flagsOf(c subcommand) (names []string) {
	var text strings.Builder
	_ = c.run(console{&text, io.Discard}, []string{"-help"}) // flag.ErrHelp
	for _, found := range regexp.MustCompile(`(?m)^  -(\w[\w-]*)`).FindAllStringSubmatch(text.String(), -1) {
		names = append(names, found[1])
	}
	return names
}

// wordsOf returns what may follow a command besides files, and besides flags.
func wordsOf(c subcommand) []string {
	switch c.name {
	case "cache":
		return []string{"list", "prune", "clear"}
	case "wisdom":
		return wisdomActions
	case "completion":
		return []string{"bash", "zsh", "fish"}
	case "help":
		return commandNames()
	}
	return nil
}

func completeBash(out io.Writer) {
	fmt.Fprintf(out, `_op2() {
	local cur=${COMP_WORDS[COMP_CWORD]} flags= words=
	if [ "$COMP_CWORD" -eq 1 ]; then
		COMPREPLY=($(compgen -W %q -- "$cur"))
		return
	fi
	case ${COMP_WORDS[1]} in
`, strings.Join(commandNames(), " "))
	for _, c := range commands() {
		fmt.Fprintf(out, "\t%s) flags=%q words=%q ;;\n", c.name, strings.Join(withDashes(flagsOf(c)), " "), strings.Join(wordsOf(c), " "))
	}
	fmt.Fprintf(out, "\thelp) words=%q ;;\n", strings.Join(commandNames(), " "))
	fmt.Fprint(out, `	esac
	case $cur in
	-*) COMPREPLY=($(compgen -W "$flags" -- "$cur")) ;;
	*) COMPREPLY=($([ -n "$words" ] && compgen -W "$words" -- "$cur" || compgen -f -- "$cur")) ;;
	esac
}
complete -o filenames -F _op2 op2
`)
}

func completeZsh(out io.Writer) {
	fmt.Fprint(out, "autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n")
	completeBash(out)
}

func completeFish(out io.Writer) {
	for _, c := range append(commands(), subcommand{name: "help", summary: "how a command is used"}) {
		fmt.Fprintf(out, "complete -c op2 -n __fish_use_subcommand -f -a %s -d %q\n", c.name, c.summary)
		seen := fmt.Sprintf("complete -c op2 -n '__fish_seen_subcommand_from %s'", c.name)
		if words := wordsOf(c); words != nil {
			fmt.Fprintf(out, "%s -a %q\n", seen, strings.Join(words, " "))
		}
		if c.name == "help" {
			continue
		}
		for _, f := range flagsOf(c) {
			fmt.Fprintf(out, "%s -o %s\n", seen, f)
		}
	}
}

func withDashes(names []string) (flags []string) {
	for _, n := range names {
		flags = append(flags, "-"+n)
	}
	return flags
}
