/**
 * A server's host name, made from its name as Nova makes it: what a host name cannot hold is
 * dropped, and a name of which nothing is left becomes `server-<id>`.
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
