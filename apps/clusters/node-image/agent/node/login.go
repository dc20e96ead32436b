package node

import (
	"context"

	"agent/files"
	"agent/settings"
	"agent/units"
)

const (
	authorizedKeys = "/root/.ssh/authorized_keys"
	sshUnit        = "ssh"
)

// Lets owners of the cluster's key log in as root, and nobody without one. The cluster does not
// depend on it, so a failure is only logged.
func (a *Agent) login(ctx context.Context) {
	if !exists(authorizedKeys) {
		keys, err := settings.Keys(ctx)
		if err != nil {
			Say("the keys of those who may log in could not be read: " + err.Error())
			return
		}
		if keys == "" {
			return
		}
		file := files.File{Path: authorizedKeys, Mode: 0o600, Content: keys}
		if err := files.Write("/", []files.File{file}); err != nil {
			Say("the keys of those who may log in could not be written: " + err.Error())
			return
		}
	}
	if err := units.Start(ctx, sshUnit); err != nil {
		Say("nobody can log in: " + err.Error())
	}
}
