/** Public source: Keystone API reference, "Authentication and token management". */
import { ServiceUnavailableError } from '../http/service-client-errors.js';
import type { ServiceClient } from '../http/service-client.js';

export interface IssuedToken {
  readonly value: string;
  /** The user of the token. */
  readonly userId: string;
  /** The project of the scope; empty without one. */
  readonly projectId: string;
  /** Milliseconds since the epoch, by this machine's clock. */
  readonly renewAt: number;
  readonly expiresAt: number;
}

interface WireToken {
  readonly issued_at?: unknown;
  readonly expires_at?: unknown;
  readonly user?: { readonly id?: unknown };
  readonly project?: { readonly id?: unknown };
}

/**
 * @param auth the `auth` of the request: the proof and the scope
 * @throws ServiceUnavailableError when identity is unreachable
 * @throws ServiceRefusedError when it refuses the proof or the scope
 */
export async function requestToken(client: ServiceClient, auth: object): Promise<IssuedToken> {
  const { headers, body } = await client.send({
    method: 'POST',
    path: '/v3/auth/tokens',
    query: { nocatalog: 1 },
    json: { auth },
  });
  const value = headers['x-subject-token'];
  const { token } = (body ?? {}) as { token?: WireToken };
  const life = Date.parse(String(token?.expires_at)) - Date.parse(String(token?.issued_at));
  const userId = token?.user?.id;
  if (typeof value !== 'string' || !Number.isFinite(life) || typeof userId !== 'string')
    throw new ServiceUnavailableError('identity', 'a token without its header, times or user');
  // Counted from here, in case identity's clock and ours differ.
  const now = Date.now();
  const project = token?.project?.id;
  const projectId = typeof project === 'string' ? project : '';
  return { value, userId, projectId, renewAt: now + life * 0.8, expiresAt: now + life };
}
