// Command favorbench generates, validates and shows the instances of FavorBench. See favorbench help.
package main

import (
	"os"

	"favorbench/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
