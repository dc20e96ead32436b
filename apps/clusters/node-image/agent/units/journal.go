package units

import (
	"context"
	"os/exec"
	"regexp"
	"strings"
)

// Limits of a report.
const (
	journalLines = "6"
	lineLimit    = 160
)

// Journal returns the last log lines of a unit, in one line and without secrets; may be empty.
func Journal(ctx context.Context, name string, secrets []string) string {
	text, err := exec.CommandContext(ctx, "journalctl", "--unit="+name+".service", "--lines="+journalLines,
		"--output=cat", "--quiet", "--no-pager").Output()
	if err != nil {
		return ""
	}
	return tidy(string(text), secrets)
}

var (
	pem   = regexp.MustCompile(`(?s)-----BEGIN.*?(-----END[^-]*-----|$)`)
	token = regexp.MustCompile(`eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*`)
	// The head of klog's lines: level, date, time, thread, file and line.
	head = regexp.MustCompile(`^[IWEF]\d{4} [\d:.]+ +\d+ \S+\] `)
)

func tidy(text string, secrets []string) string {
	text = pem.ReplaceAllString(text, "(PEM)")
	text = token.ReplaceAllString(text, "(token)")
	for _, secret := range secrets {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "(secret)")
		}
	}
	var lines []string
	for line := range strings.Lines(text) {
		line = head.ReplaceAllString(strings.TrimSpace(line), "")
		if len(line) > lineLimit {
			line = strings.ToValidUTF8(line[:lineLimit], "") + "…"
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, " | ")
}
