# Understands `write_files` of cloud-config: a list of maps with `path`, `content`, `permissions`, `encoding`
# and `owner`. Of YAML, it knows scalars in one line (plain, in quotes), and text blocks (`|`, `|-`, `|+`). An
# item that says anything else is not understood; it is printed.
#
#     awk -v folder=DIR -v list=FILE -f yaml.awk -f write-files.awk user_data
#
# Writes each content to a file in `folder`, and to `list` a line with it, its permissions, how it is encoded
# (binary or base64), and its path. Public source: cloud-init, "Write Files".

function field(name, value) {
  if (name in item || name !~ /^(path|content|permissions|encoding|owner)$/) bad = 1
  item[name] = value
}

# `|` keeps one line break at the end, `|-` none, `|+` all.
function endBlock() {
  if (chomp != "+") sub(/\n+$/, "", raw)
  if (chomp == "" && raw != "") raw = raw "\n"
  field(blockOf, raw)
  inBlock = 0
}

# Ends the item that is being read, if there is one.
function finish(   file, mode, encoding) {
  if (inBlock) endBlock()
  if (!inItem) return
  inItem = 0
  mode = "permissions" in item ? item["permissions"] : "0644"
  encoding = "encoding" in item ? item["encoding"] : "text/plain"
  # There is no other user here.
  if ("owner" in item && item["owner"] !~ /^root(:root)?$/) bad = 1
  if (item["path"] !~ /^\/./ || item["path"] ~ /[\t\n]/ || mode !~ /^[0-7]+$/) bad = 1
  if (encoding !~ /^(text\/plain|b64|base64)$/) bad = 1
  if (bad) { print "write_files item " number; return }
  file = folder "/" number
  printf "%s", item["content"] > file
  close(file)
  print file "\t" mode "\t" (encoding == "text/plain" ? "binary" : "base64") "\t" item["path"] > list
}

function begin() {
  finish()
  split("", item)
  number++
  inItem = 1
  bad = 0
  fieldIndent = -1
}

{ sub(/\r$/, ""); isBlank = /^[ \t]*$/; match($0, /^ */); indent = RLENGTH }

# A block goes on for as long as its lines are indented more than its key.
inBlock && (isBlank || indent > fieldIndent) {
  if (block < 0 && !isBlank) block = indent
  if (!isBlank && indent < block) bad = 1
  raw = raw (block < 0 ? "" : substr($0, block + 1)) "\n"
  next
}
inBlock { endBlock() }
isBlank || /^[ \t]*#/ || /^(---|\.\.\.)[ \t]*$/ { next }

/^[^ \t#-]/ {
  finish()
  isWanted = /^write_files:[ \t]*(#.*)?$/
  itemIndent = -1
  next
}
!isWanted { next }

/^ *-( |$)/ && (itemIndent < 0 || indent == itemIndent) {
  itemIndent = indent
  begin()
  # What follows the dash is as if it stood on a line of its own.
  sub(/-/, " ")
  match($0, /^ */)
  indent = RLENGTH
  if (/^ *$/) next
}
match($0, /^ *[a-z_]+:([ \t]|$)/) && (fieldIndent < 0 || indent == fieldIndent) {
  fieldIndent = indent
  rest = trim(substr($0, RLENGTH + 1))
  name = trim(substr($0, 1, RLENGTH))
  sub(/:$/, "", name)
  if (rest ~ /^\|[-+]?([ \t]+#.*)?$/) {
    inBlock = 1
    blockOf = name
    block = -1
    raw = ""
    chomp = substr(rest, 2, 1)
    if (chomp !~ /[-+]/) chomp = ""
  } else field(name, scalar(rest))
  next
}
{ bad = 1 }

END { finish() }
