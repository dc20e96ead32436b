/**
 * Keys and revocation events over HTTP, for a service's token verifier. Public sources: RFC 7517;
 * Keystone API reference, "OS-REVOKE API".
 */
import type { RevocationEvent } from '@cumulet/common/auth/revocation';
import type { TokenAuthority } from '@cumulet/common/auth/token-verifier';
import { asService } from '../http/actor.js';
import type { IdentityClientOptions } from '../http/credentials.js';
import { SisterClient } from '../http/service-client.js';
import { ServiceUnavailableError } from '../http/service-client-errors.js';

type KeySet = Awaited<ReturnType<TokenAuthority['keys']>>;

export class HttpTokenAuthority extends SisterClient implements TokenAuthority {
  /** The credentials are the service's: only services and administrators may read revocations. */
  constructor({ identityUrl: baseUrl, credentials }: IdentityClientOptions) {
    super({
      service: 'identity',
      baseUrl,
      credentials,
      connections: 2,
      responseTimeout: 5_000,
    });
  }

  /** @throws ServiceUnavailableError when identity does not answer */
  async keys(): Promise<KeySet> {
    const { body } = await this.client.send({ path: '/.well-known/jwks.json' });
    return { keys: listOf(body, 'keys') };
  }

  /** @throws ServiceUnavailableError when identity does not answer */
  async revocations(): Promise<readonly RevocationEvent[]> {
    const { body } = await this.client.send({
      actor: asService(),
      path: '/v3/OS-REVOKE/events',
    });
    return listOf(body, 'events').map(eventOf);
  }
}

function listOf(body: unknown, key: string): Record<string, unknown>[] {
  const list = (body as Record<string, unknown> | undefined)?.[key];
  if (!Array.isArray(list))
    throw new ServiceUnavailableError('identity', `an answer without ${key}`);
  return list as Record<string, unknown>[];
}

function eventOf(event: Record<string, unknown>): RevocationEvent {
  const field = (name: string): string | undefined => {
    const value = event[name];
    return typeof value === 'string' ? value : undefined;
  };
  const issuedBefore = Date.parse(field('issued_before') ?? '');
  if (!Number.isFinite(issuedBefore))
    throw new ServiceUnavailableError('identity', 'a revocation event without issued_before');
  return {
    auditId: field('audit_id'),
    auditChainId: field('audit_chain_id'),
    trustId: field('OS-TRUST:trust_id'),
    credentialId: field('credential_id'),
    userId: field('user_id'),
    projectId: field('project_id'),
    domainId: field('domain_id'),
    issuedBefore,
  };
}
