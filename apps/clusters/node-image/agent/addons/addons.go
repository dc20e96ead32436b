// Package addons reads the manifests in the image, and fills in values of the cluster.
package addons

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var placeholder = regexp.MustCompile(`\$\{([A-Z_]+)\}`)

// Load returns the manifests, in JSON, of the named add-ons in a folder.
//
// A manifest's placeholders are `${NAME}`, all of which have a value.
func Load(folder string, names []string, values map[string]string) ([][]byte, error) {
	var all [][]byte
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(folder, name+".json"))
		if err != nil {
			return nil, err
		}
		filled, err := fill(string(text), values)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		var manifests []json.RawMessage
		if err := json.Unmarshal([]byte(filled), &manifests); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, manifest := range manifests {
			all = append(all, manifest)
		}
	}
	return all, nil
}

// Values are inserted into strings of the JSON.
func fill(text string, values map[string]string) (string, error) {
	var missing []string
	filled := placeholder.ReplaceAllStringFunc(text, func(found string) string {
		name := placeholder.FindStringSubmatch(found)[1]
		value, known := values[name]
		if !known {
			missing = append(missing, name)
		}
		quoted, _ := json.Marshal(value)
		return string(quoted[1 : len(quoted)-1])
	})
	if len(missing) > 0 {
		slices.Sort(missing)
		return "", fmt.Errorf("there is no value for %s", strings.Join(slices.Compact(missing), ", "))
	}
	return filled, nil
}
