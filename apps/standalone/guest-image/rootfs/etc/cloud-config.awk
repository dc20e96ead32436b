# Understands the part of cloud-config that makes sense for this guest: lists under the keys `runcmd` and
# `ssh_authorized_keys`. Of YAML, it knows scalars (plain, in quotes), lists within `runcmd` in both
# notations, and text blocks (`|`). What it does not understand it prints, one a line.
#
#     awk -v script=FILE -v keys=FILE -f cloud-config.awk user_data
#
# Writes the commands to `script`, each list with its words quoted, as cloud-init does, and the keys to
# `keys`. Public source: cloud-init, "Runcmd" and "Authorized keys".

function trim(s) { gsub(/^[ \t]+|[ \t]+$/, "", s); return s }

function word(s) { gsub(/'/, "'\\''", s); return "'" s "'" }

function isQuoted(s) { return s ~ /^"([^"\\]|\\.)*"([ \t]+#.*)?$/ || s ~ /^'([^']|'')*'([ \t]+#.*)?$/ }

# The text of a scalar; sets `bad` if it is none.
function scalar(s,   out, c, at) {
  s = trim(s)
  if (isQuoted(s) && s ~ /^'/) {
    sub(/'[ \t]+#.*$/, "'", s)
    s = substr(s, 2, length(s) - 2)
    gsub(/''/, "'", s)
    return s
  }
  if (isQuoted(s)) {
    match(s, /^"([^"\\]|\\.)*"/)
    s = substr(s, 2, RLENGTH - 2)
    while (at = index(s, "\\")) {
      out = out substr(s, 1, at - 1)
      c = substr(s, at + 1, 1)
      s = substr(s, at + 2)
      if (c == "n") c = "\n"
      else if (c == "t") c = "\t"
      else if (c !~ /["\\\/ ]/) bad = 1
      out = out c
    }
    return out s
  }
  sub(/[ \t]+#.*$/, "", s)
  # Such a text is a map, an alias or a list to YAML, or has quotes that do not end.
  if (s ~ /^["'&*!{}%@`|>[]/ || s ~ /:([ \t]|$)/) bad = 1
  return s
}

# The words of `[a, "b c"]`, quoted for the shell; sets `bad` if it is more than a plain list.
function flow(s,   out) {
  s = trim(s)
  sub(/^\[[ \t]*/, "", s)
  while (s !~ /^\]/) {
    if (!match(s, /^("([^"\\]|\\.)*"|'([^']|'')*'|[^]["',{}]+)/)) { bad = 1; return }
    out = out (out == "" ? "" : " ") word(scalar(substr(s, 1, RLENGTH)))
    s = trim(substr(s, RLENGTH + 1))
    if (s !~ /^[],]/) { bad = 1; return }
    sub(/^,[ \t]*/, "", s)
  }
  if (s !~ /^\][ \t]*(#.*)?$/) bad = 1
  return out
}

# Ends the item that is being read, if there is one.
function finish(   text) {
  if (kind == "") return
  if (kind == "scalar") text = raw ~ /^\[/ ? flow(raw) : scalar(raw)
  else text = kind == "list" ? words : raw
  if (key != "runcmd" && (kind == "list" || raw ~ /^\[/)) bad = 1
  if (bad) print key " item " number
  else print text > (key == "runcmd" ? script : keys)
  kind = ""
  bad = 0
}

function begin(rest) {
  finish()
  number++
  raw = words = ""
  block = -1
  kind = "scalar"
  if (rest ~ /^\|[-+]?$/) kind = "block"
  else if (rest ~ /^-( |$)/) { kind = "list"; words = word(scalar(substr(rest, 2))) }
  else if (rest == "") kind = "list"
  else raw = rest
}

{ sub(/\r$/, ""); match($0, /^ */); indent = RLENGTH }

# A block goes on for as long as its lines are indented more than its item.
kind == "block" && (/^[ \t]*$/ || indent > itemIndent) {
  if (block < 0 && !/^[ \t]*$/) block = indent
  raw = raw (raw == "" ? "" : "\n") substr($0, block + 1)
  next
}
/^[ \t]*(#.*)?$/ || /^(---|\.\.\.)[ \t]*$/ { next }

/^[^ \t#-]/ {
  finish()
  key = $0
  rest = ""
  if (match($0, /:([ \t]|$)/)) { key = substr($0, 1, RSTART - 1); rest = trim(substr($0, RSTART + 1)) }
  number = 0
  itemIndent = -1
  sub(/^#.*/, "", rest)
  isKnown = rest == "" && (key == "runcmd" || key == "ssh_authorized_keys")
  if (!isKnown && $0 !~ /^(runcmd|ssh_authorized_keys):[ \t]*\[[ \t]*\][ \t]*$/) print key
  next
}
!isKnown { next }

/^ *-( |$)/ {
  rest = trim(substr($0, indent + 2))
  if (itemIndent < 0) itemIndent = indent
  if (indent == itemIndent) { begin(rest); next }
  if (kind == "list" && indent > itemIndent) { words = words (words == "" ? "" : " ") word(scalar(rest)); next }
}
# A scalar goes on in the next line.
kind == "scalar" && indent > itemIndent { raw = raw " " trim($0); next }
{ bad = 1 }

END { finish() }
