# Understands the part of cloud-config that makes sense for this guest: lists under the keys `runcmd` and
# `ssh_authorized_keys`. Of YAML, it knows scalars (plain, in quotes), lists within `runcmd` in both
# notations, and text blocks (`|`). What it does not understand it prints, one a line.
#
#     awk -v script=FILE -v keys=FILE -f yaml.awk -f cloud-config.awk user_data
#
# Writes the commands to `script`, each list with its words quoted, as cloud-init does, and the keys to
# `keys`. Public source: cloud-init, "Runcmd" and "Authorized keys". The key `write_files` is left to
# write-files.awk.

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
  isElsewhere = rest == "" && key == "write_files"
  if (!isKnown && !isElsewhere && $0 !~ /^(runcmd|ssh_authorized_keys|write_files):[ \t]*\[[ \t]*\][ \t]*$/) print key
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
