package node

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"agent/clusters"
	"agent/files"
)

// The state that survives reboots, in a folder for root only.
const (
	stateFolder  = "/var/lib/cumulet"
	documentFile = stateFolder + "/node.json"
	nonceFile    = stateFolder + "/nonce"
	// The members of etcd that it was first started with.
	etcdFile   = stateFolder + "/etcd-members"
	etcdData   = "/var/lib/etcd/member"
	imagesFile = stateFolder + "/images-imported"

	pkiFolder    = "/etc/kubernetes/pki"
	shareFolder  = "/usr/share/cumulet-node"
	versionsFile = shareFolder + "/versions.json"
)

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Created once: the service recognises the node that came first by it.
func nonce() (string, error) {
	if text, err := os.ReadFile(nonceFile); err == nil {
		return strings.TrimSpace(string(text)), nil
	}
	bytes := make([]byte, 32)
	if _, err := rand.Read(bytes); err != nil {
		return "", err
	}
	text := hex.EncodeToString(bytes)
	return text, keep(nonceFile, text)
}

// Returns nil before the bootstrap.
func keptDocument() (*clusters.Document, error) {
	text, err := os.ReadFile(documentFile)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var document clusters.Document
	return &document, json.Unmarshal(text, &document)
}

func keepDocument(document *clusters.Document) error {
	text, err := json.Marshal(document)
	if err != nil {
		return err
	}
	return keep(documentFile, string(text))
}

func keep(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return files.Write("/", []files.File{{Path: path, Mode: 0o600, Content: text}})
}

// The versions of the image's contents by name: `kubernetes`, `coredns`.
func versions() (map[string]string, error) {
	text, err := os.ReadFile(versionsFile)
	if err != nil {
		return nil, err
	}
	var all map[string]string
	return all, json.Unmarshal(text, &all)
}
