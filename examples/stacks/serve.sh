#!/bin/sh
# Serves a page, and says so to whoever waits for it: with busybox, or with what every image with
# cloud-init has.
mkdir -p /www && cd /www || exit 1
echo '$text' >index.html
if ! busybox httpd -p 8000 -h /www; then
  nohup python3 -m http.server 8000 >/dev/null 2>&1 &
fi

# Of an id, only one signal counts: another may follow where its answer is lost.
body='{"status": "SUCCESS", "reason": "It serves.", "id": "$name"}'
signal() {
  if command -v curl >/dev/null; then
    curl -fsS -o /dev/null -H 'Content-Type: application/json' --data-binary "$body" '$signal'
  elif command -v wget >/dev/null; then
    wget -qO /dev/null --header 'Content-Type: application/json' --post-data "$body" '$signal'
  else
    python3 -c 'import sys, urllib.request as r; r.urlopen(sys.argv[1], sys.argv[2].encode())' \
      '$signal' "$body"
  fi
}
until signal; do sleep 1; done
