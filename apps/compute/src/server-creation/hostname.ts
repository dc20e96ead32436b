/**
 * A server's host name, derived from its name as in Nova: invalid characters are dropped, and an
 * empty result becomes `server-<id>`. No label between the dots is empty, or has a hyphen at its end.
 */
export function hostnameOf(name: string, id: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/[ _]/g, '-')
    .replaceAll(/[^\w.-]/g, '')
    .toLowerCase()
    .replaceAll(/-*\.[.-]*/g, '.')
    .replaceAll(/^[.-]+|[.-]+$/g, '')
    .slice(0, 63)
    .replaceAll(/[.-]+$/g, '');
  return plain === '' ? `server-${id}` : plain;
}
