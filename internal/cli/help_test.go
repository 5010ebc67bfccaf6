package cli

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// everyCommand lists the root and all commands below it, cobra's own left out.
func everyCommand() []*cobra.Command {
	var out []*cobra.Command
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		out = append(out, c)
		for _, sub := range c.Commands() {
			if sub.Name() != "completion" {
				walk(sub)
			}
		}
	}
	walk(newRoot())
	return out
}

// TestHelp holds every command to the form of its help: what it does, its exit statuses, and examples that the command line takes.
func TestHelp(t *testing.T) {
	for _, c := range everyCommand() {
		t.Run(strings.ReplaceAll(c.CommandPath(), " ", "_"), func(t *testing.T) {
			if c.Short == "" || strings.HasSuffix(c.Short, ".") || strings.ToLower(c.Short[:1]) != c.Short[:1] {
				t.Errorf("short help %q: want a phrase in lower case without a full stop", c.Short)
			}
			if _, statuses, ok := strings.Cut(c.Long, "\n\nEXIT STATUS\n"); !ok || strings.Contains(statuses, "\n") {
				t.Errorf("long help does not end in a paragraph EXIT STATUS:\n%s", c.Long)
			}
			for _, status := range []int{exitOK, exitFinding, exitUsage, exitCannot, exitInterrupted} {
				if !strings.Contains(c.Long, fmt.Sprintf(" %d ", status)) {
					t.Errorf("long help does not say what exit status %d means", status)
				}
			}
			if strings.TrimSpace(c.Example) == "" {
				t.Fatal("no example")
			}
			for line := range strings.SplitSeq(c.Example, "\n") {
				if err := parses(line); err != nil {
					t.Errorf("example %q: %v", line, err)
				}
			}
			for line := range strings.Lines(c.LocalFlags().FlagUsages()) {
				if strings.HasSuffix(strings.TrimSpace(line), ".") || len(strings.Fields(line)) < 3 {
					t.Errorf("flag usage %q: want a phrase without a full stop", line)
				}
			}
		})
	}
}

// parses reads a command line as Main would, up to the point of running it.
func parses(line string) error {
	words, err := shellWords(line)
	if err != nil {
		return err
	}
	if len(words) == 0 || words[0] != "favorbench" || !strings.HasPrefix(line, "  favorbench ") {
		return fmt.Errorf("want two blanks and favorbench first")
	}
	c, rest, err := newRoot().Find(words[1:])
	if err != nil {
		return err
	}
	if err := c.ParseFlags(rest); err != nil {
		return err
	}
	return c.ValidateArgs(c.Flags().Args())
}

// shellWords cuts a line at blanks outside single quotes, which is all that examples and docs need.
func shellWords(line string) ([]string, error) {
	var words []string
	word, quoted, started := "", false, false
	for _, r := range line {
		switch {
		case r == '\'':
			quoted, started = !quoted, true
		case r == ' ' && !quoted:
			if started {
				words = append(words, word)
			}
			word, started = "", false
		default:
			word, started = word+string(r), true
		}
	}
	if quoted {
		return nil, fmt.Errorf("a quote is not closed")
	}
	if started {
		words = append(words, word)
	}
	return words, nil
}

// TestCommandsHaveNamesOfTheirOwn holds the registry to one entry a name.
func TestCommandsHaveNamesOfTheirOwn(t *testing.T) {
	var names []string
	for _, c := range commands {
		name := c().Name()
		if slices.Contains(names, name) {
			t.Errorf("command %s is registered twice", name)
		}
		names = append(names, name)
	}
}
