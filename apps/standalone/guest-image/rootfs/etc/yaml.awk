# The scalars of YAML, for what reads cloud-config: plain or in quotes; and lists of them in brackets.

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
