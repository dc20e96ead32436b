/** Words of others, as a reason may carry them: who has a master's root has a cluster say anything. */

/** Characters of one message. */
const LENGTH = 300;

/**
 * Without what Postgres does not take into JSON (NUL, half a surrogate pair), and what no terminal
 * should be shown.
 */
export function shortWords(text: string, length = LENGTH): string {
  const cut = text.length > length ? `${text.slice(0, length - 1)}…` : text;
  return cut.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').trim();
}
