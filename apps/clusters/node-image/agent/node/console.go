// Package node brings a node up in phases, each of which it tells, and then watches it for as long as it lives.
package node

import (
	"fmt"
	"os"
)

// Say writes a line on the console, which the cloud shows of a server, and into the journal.
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
