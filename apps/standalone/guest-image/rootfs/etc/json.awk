# Prints the values of a JSON document, one a line: a path, a tab, the value.
#
#     {"public_keys": {"mine": "ssh-rsa A"}, "links": [{"mtu": 1500}]}
#
#     /public_keys/mine	ssh-rsa A
#     /links/0/mtu	1500
#
# Line breaks within a value become spaces.

function unescape(s,   out, c, n) {
  while (n = index(s, "\\")) {
    out = out substr(s, 1, n - 1)
    c = substr(s, n + 1, 1)
    s = substr(s, n + 2)
    if (c == "u") { out = out utf8(s); s = substr(s, 5) }
    else out = out (c ~ /[ntr]/ ? " " : c ~ /[bf]/ ? "" : c)
  }
  return out s
}

function utf8(hex,   n, i) {
  for (i = 1; i <= 4; i++) n = n * 16 + index("123456789abcdef", tolower(substr(hex, i, 1)))
  if (n < 128) return sprintf("%c", n < 32 ? 32 : n)
  if (n < 2048) return sprintf("%c%c", 192 + int(n / 64), 128 + n % 64)
  return sprintf("%c%c%c", 224 + int(n / 4096), 128 + int(n / 64) % 64, 128 + n % 64)
}

function leaf(value,   path, i) {
  for (i = 1; i <= depth; i++) path = path "/" key[i]
  print path "\t" value
}

{ text = text $0 "\n" }

END {
  # Token by token, so that no text within a string can be mistaken for a key.
  while (match(text, /"([^"\\]|\\.)*"|[][{}:,]|[^][{}:," \t\n]+/)) {
    token = substr(text, RSTART, RLENGTH)
    text = substr(text, RSTART + RLENGTH)
    if (token ~ /^[[{]$/) {
      depth++
      isList[depth] = token == "["
      key[depth] = isList[depth] ? 0 : ""
      isKey = !isList[depth]
    } else if (token ~ /^[]}]$/) depth--
    else if (token == ":") isKey = 0
    else if (token == ",") {
      if (isList[depth]) key[depth]++
      else isKey = 1
    } else {
      value = token ~ /^"/ ? unescape(substr(token, 2, length(token) - 2)) : token
      if (isKey) key[depth] = value
      else leaf(value)
    }
  }
}
