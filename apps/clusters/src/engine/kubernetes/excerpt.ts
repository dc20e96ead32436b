/** Cleans texts from clusters for use in reasons: whoever has root on a master controls them. */

const LENGTH = 300;

/** Removes what Postgres refuses in JSON (NUL, half a surrogate pair) or controls terminals. */
export function excerpt(text: string, length = LENGTH): string {
  const cut = text.length > length ? `${text.slice(0, length - 1)}…` : text;
  return cut.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').trim();
}
