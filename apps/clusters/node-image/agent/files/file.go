// Package files computes a node's files from its bootstrap document. It does not read the machine,
// so that results can be compared with testdata.
package files

import (
	"os"
	"path/filepath"
)

// File is a file of the node.
type File struct {
	Path    string
	Mode    os.FileMode
	Content string
}

const (
	// For files that may contain keys or passwords.
	secret = os.FileMode(0o600)
	public = os.FileMode(0o644)
)

// Write writes the files below the root of a system.
func Write(root string, all []File) error {
	for _, file := range all {
		if err := write(filepath.Join(root, file.Path), file); err != nil {
			return err
		}
	}
	return nil
}

// Atomic: other processes see the old or the new file.
func write(path string, file File) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	partial := path + ".new"
	if err := os.WriteFile(partial, []byte(file.Content), file.Mode); err != nil {
		return err
	}
	if err := os.Chmod(partial, file.Mode); err != nil {
		return err
	}
	return os.Rename(partial, path)
}
