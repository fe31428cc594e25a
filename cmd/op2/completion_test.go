package main

import (
	"os/exec"
	"strings"
	"testing"
)

// Bash completes commands, their flags, and words that may follow them.
func TestCompletion(t *testing.T) {
	script, err := output(t, "completion", "bash")
	if err != nil {
		t.Fatal(err)
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	for line, want := range map[string]string{
		"op2 pl":               "plan",
		"op2 mesh -or":         "-orient",
		"op2 translate -t":     "-targets",
		"op2 cache pr":         "prune",
		"op2 help par":         "partition",
		"op2 compare mesh_des": "mesh_describe.go",
		"op2 nothing -":        "",
	} {
		words := "'" + strings.Join(strings.Fields(line), "' '") + "'"
		c := exec.Command(bash, "--norc", "-c", script+"COMP_WORDS=("+words+") COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _op2; echo \"${COMPREPLY[*]}\"")
		if out, err := c.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != want {
			t.Errorf("%s: %q, error %v, want %q", line, out, err, want)
		}
	}
	fish, err := output(t, "completion", "fish")
	if err != nil || !strings.Contains(fish, "complete -c op2 -n '__fish_seen_subcommand_from mesh' -o orient\n") {
		t.Errorf("error %v\n%s", err, fish)
	}
	if _, err := output(t, "completion", "fsh"); err == nil || !strings.Contains(err.Error(), `there is no shell "fsh" (did you mean "zsh"?)`) || exitStatus(err) != 2 {
		t.Error(err)
	}
}

// Each command has an example, which its help shows, and which only uses flags that it has.
func TestExamples(t *testing.T) {
	for _, c := range commands() {
		text := usageExamples[c.name]
		out, _ := output(t, "help", c.name)
		if text == "" || !strings.Contains(out, "\nFor example:\n\n    "+strings.Split(text, "\n")[0]) {
			t.Errorf("op2 help %s prints\n%s", c.name, out)
		}
		flags := " " + strings.Join(withDashes(flagsOf(c)), " ") + " "
		for line := range strings.Lines(text) {
			_, own, _ := strings.Cut(line, "op2 "+c.name)
			for _, word := range strings.Fields(own) {
				if word == "go" || word == "./program" || word == "mpirun" || word == "--" || word == "#" || word == "&&" {
					break // what follows is another command's
				}
				if strings.HasPrefix(word, "-") && !strings.Contains(flags, " "+word+" ") {
					t.Errorf("op2 %s has no flag %s", c.name, word)
				}
			}
		}
	}
}
