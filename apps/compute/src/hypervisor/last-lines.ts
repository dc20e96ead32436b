/** The last `count` lines of a text; an unfinished line counts as one. */
export function lastLines(text: string, count: number): string {
  if (count <= 0) return '';
  const lines = text.split('\n');
  const afterTheEnd = text.endsWith('\n') ? 1 : 0;
  return lines.slice(-count - afterTheEnd).join('\n');
}
