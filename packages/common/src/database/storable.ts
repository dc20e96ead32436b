/** Whether Postgres can hold this text: it takes neither U+0000 nor half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !/[\p{Surrogate}\0]/u.test(text);
}
