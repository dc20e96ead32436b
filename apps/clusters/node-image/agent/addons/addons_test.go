package addons

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func folder(t *testing.T, text string) string {
	t.Helper()
	path := t.TempDir()
	if err := os.WriteFile(filepath.Join(path, "one.json"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFillsInWhatDependsOnTheCluster(t *testing.T) {
	path := folder(t, `[{"a": "x ${DOMAIN} y"}, {"b": "${FORWARD}"}]`)
	got, err := Load(path, []string{"one"}, map[string]string{"DOMAIN": "cluster.local", "FORWARD": "say \"\n"})
	if err != nil || len(got) != 2 {
		t.Fatalf("got %s, %v", got, err)
	}
	if string(got[0]) != `{"a": "x cluster.local y"}` || string(got[1]) != `{"b": "say \"\n"}` {
		t.Errorf("got %s", got)
	}
}

func TestNamesPlaceholdersWithoutAValue(t *testing.T) {
	_, err := Load(folder(t, `["${B} ${A} ${B}"]`), []string{"one"}, nil)
	if err == nil || !strings.HasSuffix(err.Error(), "there is no value for A, B") {
		t.Errorf("said %v", err)
	}
}
