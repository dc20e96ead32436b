package settings

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

const (
	kept        = "/etc/cumulet/node.env"
	configDrive = "/dev/disk/by-label/config-2"
	mountPoint  = "/run/cumulet/config-drive"
	metadata    = "http://169.254.169.254/openstack/latest/"
)

// Load returns stored settings, or waits until the cloud provides them. Each new obstacle is logged
// once.
func Load(ctx context.Context, say func(string)) (Settings, error) {
	if text, err := os.ReadFile(kept); err == nil {
		return Parse(string(text))
	}
	said := ""
	for {
		text, err := fetch(ctx, "user_data")
		if err == nil {
			return keep(text)
		}
		if err.Error() != said {
			said = err.Error()
			say(said)
		}
		select {
		case <-ctx.Done():
			return Settings{}, ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

func keep(text []byte) (Settings, error) {
	settings, err := Parse(string(text))
	if err != nil {
		return settings, err
	}
	if err := os.MkdirAll(filepath.Dir(kept), 0o755); err != nil {
		return settings, err
	}
	return settings, os.WriteFile(kept, []byte(settings.String()), 0o600)
}

// String is the file that Parse reads.
func (s Settings) String() string {
	return fmt.Sprintf("CUMULET_CLUSTERS_URL=%s\nCUMULET_CLUSTER_ID=%s\nCUMULET_NODE_ID=%s\nCUMULET_NODE_NAME=%s\n"+
		"CUMULET_NODE_ROLE=%s\nCUMULET_NODE_TOKEN=%s\nCUMULET_API_URL=%s\nCUMULET_API_PUBLIC_ADDRESS=%s\n",
		s.ClustersURL, s.ClusterID, s.NodeID, s.NodeName, s.Role, s.Token, s.APIURL, s.APIPublicAddress)
}

// Reads a file of the config drive, or else of the metadata service.
func fetch(ctx context.Context, name string) ([]byte, error) {
	text, drive := fromDrive(name)
	if drive == nil {
		return text, nil
	}
	text, service := fromMetadata(ctx, name)
	if service == nil {
		return text, nil
	}
	return nil, fmt.Errorf("no user data yet: the config drive says %w, and the metadata service %w", drive, service)
}

func fromDrive(name string) ([]byte, error) {
	if _, err := os.Stat(configDrive); err != nil {
		return nil, errors.New("that it is not there")
	}
	if err := os.MkdirAll(mountPoint, 0o700); err != nil {
		return nil, err
	}
	var err error
	for _, system := range []string{"iso9660", "vfat"} {
		if err = syscall.Mount(configDrive, mountPoint, system, syscall.MS_RDONLY, ""); err == nil {
			defer func() { _ = syscall.Unmount(mountPoint, 0) }()
			return os.ReadFile(filepath.Join(mountPoint, "openstack/latest", name))
		}
	}
	return nil, err
}

func fromMetadata(ctx context.Context, name string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, metadata+name, nil)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("status %d", response.StatusCode)
	}
	return io.ReadAll(io.LimitReader(response.Body, 1<<20))
}
