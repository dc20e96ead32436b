// Package node starts a node in phases, reports each, and then monitors it.
package node

import (
	"fmt"
	"os"
)

// Say writes a line to the console, which the cloud shows, and to the journal.
func Say(text string) {
	line := "cumulet-node: " + text + "\n"
	fmt.Print(line)
	console, err := os.OpenFile("/dev/console", os.O_WRONLY, 0)
	if err != nil {
		return
	}
	defer console.Close()
	_, _ = console.WriteString(line)
}
