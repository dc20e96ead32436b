package settings

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Keys returns the public keys of those who may log in, in the form of authorized_keys; empty if there are none
// (Nova user guide, "Metadata: OpenStack format").
func Keys(ctx context.Context) (string, error) {
	text, err := fetch(ctx, "meta_data.json")
	if err != nil {
		return "", err
	}
	return parseKeys(text)
}

func parseKeys(text []byte) (string, error) {
	var metadata struct {
		PublicKeys map[string]string `json:"public_keys"`
	}
	if err := json.Unmarshal(text, &metadata); err != nil {
		return "", err
	}
	var lines strings.Builder
	for _, name := range slices.Sorted(maps.Keys(metadata.PublicKeys)) {
		lines.WriteString(strings.TrimSpace(metadata.PublicKeys[name]) + "\n")
	}
	return lines.String(), nil
}
