package settings

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
)

// Keys returns the public keys for logins, in the form of authorized_keys; empty if there are none.
// They are in user data: the server has no key pair, since whoever changes the cluster later may
// not have it (cloud-init, "SSH": ssh_authorized_keys).
func Keys(ctx context.Context) (string, error) {
	text, err := fetch(ctx, "user_data")
	if err != nil {
		return "", err
	}
	return parseKeys(string(text)), nil
}

var item = regexp.MustCompile(`^\s+- (".*")\s*$`)

// parseKeys reads a list in a cloud-config whose items are quoted as in JSON.
func parseKeys(userData string) string {
	_, list, found := strings.Cut("\n"+userData, "\nssh_authorized_keys:\n")
	if !found {
		return ""
	}
	var lines strings.Builder
	for one := range strings.Lines(list) {
		match := item.FindStringSubmatch(strings.TrimRight(one, "\r\n"))
		if match == nil {
			break
		}
		var key string
		if err := json.Unmarshal([]byte(match[1]), &key); err == nil && !strings.ContainsAny(key, "\r\n") {
			lines.WriteString(strings.TrimSpace(key) + "\n")
		}
	}
	return lines.String()
}
