package settings

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
)

// Keys returns the public keys of those who may log in, in the form of authorized_keys; empty if there are none.
// The service writes them into user data: the server itself has no key pair, as whoever changes the cluster later
// may not have it (cloud-init, "SSH": ssh_authorized_keys).
func Keys(ctx context.Context) (string, error) {
	text, err := fetch(ctx, "user_data")
	if err != nil {
		return "", err
	}
	return parseKeys(string(text)), nil
}

var item = regexp.MustCompile(`^\s+- (".*")\s*$`)

// parseKeys reads the list of a cloud-config whose items are quoted as JSON quotes.
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
