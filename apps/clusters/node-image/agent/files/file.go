// Package files says what stands in a node's files, as a function of what the node was told. Nothing here
// reads the machine, so that all of it is compared with what testdata holds.
package files

import (
	"os"
	"path/filepath"
)

// File is one that the node shall have.
type File struct {
	Path    string
	Mode    os.FileMode
	Content string
}

const (
	// Of those that hold a key, a password, or what may hold one.
	secret = os.FileMode(0o600)
	public = os.FileMode(0o644)
)

// Write makes the files below a folder, which is that of the root of a system.
func Write(root string, all []File) error {
	for _, file := range all {
		if err := write(filepath.Join(root, file.Path), file); err != nil {
			return err
		}
	}
	return nil
}

// Another process sees the former file or the new one, and never half of it.
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
