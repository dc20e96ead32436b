// echo is a container that tests of a cluster run without a registry: an HTTP server that answers with the name
// of its pod, and a client of it.
//
//	echo                serve on port 8080; $PORT names another
//	echo get URL        print what an address answers
//	echo sleep          wait until it is ended
package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "echo:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, arguments []string) error {
	switch {
	case len(arguments) == 0:
		return serve(ctx)
	case len(arguments) == 1 && arguments[0] == "sleep":
		<-ctx.Done()
		return nil
	case len(arguments) == 2 && arguments[0] == "get":
		return get(ctx, arguments[1])
	}
	return fmt.Errorf("unknown arguments: %q", arguments)
}

func serve(ctx context.Context) error {
	name, err := os.Hostname()
	if err != nil {
		return err
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	answer := func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, name) }
	server := &http.Server{
		Addr: ":" + port, Handler: http.HandlerFunc(answer), ReadHeaderTimeout: 10 * time.Second,
	}
	go func() {
		<-ctx.Done()
		_ = server.Shutdown(context.Background())
	}()
	if err := server.ListenAndServe(); err != http.ErrServerClosed {
		return err
	}
	return nil
}

func get(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers with status %d", url, response.StatusCode)
	}
	_, err = io.Copy(os.Stdout, response.Body)
	return err
}
