import { InvalidInputError } from '@cumulet/common/errors/domain-error';

/**
 * The names that a pointer leads through: `/a~1b` is `a/b`. Of JSON pointers, no empty name and no
 * trailing slash are taken. Public source: RFC 6901; Image API v2 HTTP PATCH media types.
 * @throws InvalidInputError
 */
export function namesOf(pointer: unknown): string[] {
  if (typeof pointer !== 'string' || !pointer.startsWith('/')) {
    throw refused(pointer, 'must be a text that begins with /');
  }
  if (/~(?![01])/.test(pointer)) throw refused(pointer, 'must have only 0 or 1 after a ~');
  const names = pointer.slice(1).split('/').map(unescaped);
  if (names.includes('')) throw refused(pointer, 'must name something between and after each /');
  return names;
}

/** ~1 first: what `~01` stands for is `~1`. */
function unescaped(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~').trim();
}

function refused(pointer: unknown, rule: string): InvalidInputError {
  const text = typeof pointer === 'string' ? JSON.stringify(pointer) : `a ${typeof pointer}`;
  const shown = text.length > 100 ? `${text.slice(0, 100)}…` : text;
  return new InvalidInputError(`Invalid input: a path ${rule}, unlike ${shown}.`);
}
