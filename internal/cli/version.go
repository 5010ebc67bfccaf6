package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"favorbench/templates"

	"github.com/spf13/cobra"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "print the versions of the program, of Go and of the generator",
		Long:    "Version prints what a published number should name: the program's version and commit, Go's version, and the generator's." + exitStatuses,
		Example: "  favorbench version",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), versionLine())
			return err
		},
	}
}

func versionLine() string {
	version, commit := "devel", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Main.Version != "" && info.Main.Version != "(devel)" {
			version = info.Main.Version
		}
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				commit = " commit " + s.Value
			}
		}
	}
	return fmt.Sprintf("favorbench %s%s generator %d %s %s/%s", version, commit, templates.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
