# Parts a MIME multipart message into files, and lists them, one a line: FILE TYPE ENCODING.
# TYPE is "none" for a part without one, ENCODING is that of its transfer, "8bit" by default.
#
#     awk -v folder=/run/parts -f mime.awk user_data
#
# Line ends are made those of Unix. A multipart within a part stays a part.
# Public source: RFC 2045 and RFC 2046.

# The value of a header without its parameters: "text/plain; charset=x" is "text/plain".
function plain(value) {
  sub(/;.*/, "", value)
  gsub(/[ \t"]/, "", value)
  return tolower(value)
}

function take(header,   name, value) {
  if (!index(header, ":")) return
  name = tolower(substr(header, 1, index(header, ":") - 1))
  value = substr(header, index(header, ":") + 1)
  if (name == "content-transfer-encoding") encoding = plain(value)
  if (name != "content-type") return
  type = plain(value)
  if (file == "" && match(value, /boundary="[^"]*"|boundary=[^; \t]*/)) {
    boundary = substr(value, RSTART + 9, RLENGTH - 9)
    gsub(/"/, "", boundary)
  }
}

function begin() {
  file = sprintf("%s/%03d", folder, ++count)
  printf "" > file
  type = "none"
  encoding = "8bit"
  inHeaders = 1
  header = ""
  isFirst = 1
}

function end() {
  if (file == "") return
  if (inHeaders) take(header)
  else close(file)
  print file, type, encoding
}

BEGIN { inHeaders = 1 }

{ sub(/\r$/, "") }

boundary != "" && ($0 == "--" boundary || $0 == "--" boundary "--") {
  end()
  if ($0 == "--" boundary "--") exit
  begin()
  next
}

inHeaders && $0 == "" { take(header); inHeaders = 0; next }
# A line that begins with a space goes on with the header above it.
inHeaders && /^[ \t]/ { header = header $0; next }
inHeaders { take(header); header = $0; next }
# The line break before a boundary belongs to the boundary, so one is written before each further line.
file != "" { printf "%s%s", isFirst ? "" : "\n", $0 > file; isFirst = 0 }
