/**
 * A server's host name, derived from its name as in Nova: invalid characters are dropped, and an
 * empty result becomes `server-<id>`.
 */
export function hostnameOf(name: string, id: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/[ _]/g, '-')
    .replaceAll(/[^\w.-]/g, '')
    .toLowerCase()
    .replaceAll(/^[.-]+|[.-]+$/g, '')
    .slice(0, 63)
    .replaceAll(/[.-]+$/g, '');
  return plain === '' ? `server-${id}` : plain;
}
