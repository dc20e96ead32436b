/** Access keys in identity's answers to services. Keystone has no such answer. */
import type { Revocable } from '@cumulet/common/auth/revocation';
import type { Delegation } from '@cumulet/common/context/token-claims';
import { ServiceUnavailableError } from '../http/service-client-errors.js';

export interface AccessKey {
  readonly access: string;
  readonly secret: string;
  readonly credentialId: string;
  readonly userId: string;
  readonly userDomainId: string;
  readonly projectId: string;
  readonly projectDomainId: string;
  /** By name, as of when the key was read. */
  readonly roles: readonly string[];
  /** The trust or application credential that limits it, if any. */
  readonly delegation?: Delegation | undefined;
  /** Milliseconds since the epoch, by identity's clock. */
  readonly issuedAt: number;
}

/** The form that revocation events match. */
export function revocableOf(key: AccessKey): Revocable {
  const { userId, userDomainId, projectId, projectDomainId, credentialId, issuedAt, delegation } =
    key;
  return {
    userId,
    userDomainId,
    projectId,
    domainId: projectDomainId,
    auditIds: [],
    issuedAt,
    credentialId,
    delegation,
  };
}

/**
 * @returns the key, with the milliseconds for which it may be cached
 * @throws ServiceUnavailableError for anything but an access key
 */
export function readAccessKey(body: unknown): {
  readonly key: AccessKey;
  readonly lifetime: number;
} {
  const { access_key: wire = {} } = (body ?? {}) as { access_key?: Wire };
  const field = (name: string): string => textIn(wire, name);
  const moment = (name: string): number => {
    const value = Date.parse(field(name));
    if (Number.isFinite(value)) return value;
    throw new ServiceUnavailableError('identity', `an access key whose ${name} is not a time`);
  };
  const roles = wire['roles'];
  if (!Array.isArray(roles))
    throw new ServiceUnavailableError('identity', 'an access key without roles');
  const issuedAt = moment('issued_at');
  const key: AccessKey = {
    access: field('access'),
    secret: field('secret'),
    credentialId: field('credential_id'),
    userId: field('user_id'),
    userDomainId: field('user_domain_id'),
    projectId: field('project_id'),
    projectDomainId: field('project_domain_id'),
    roles: roles.map(String),
    ...delegationIn(wire),
    issuedAt,
  };
  return { key, lifetime: moment('expires_at') - issuedAt };
}

type Wire = Readonly<Record<string, unknown>>;

function delegationIn(wire: Wire): Pick<AccessKey, 'delegation'> {
  const { trust, application_credential: credential } = wire;
  if (trust != null) return { delegation: trustOf(trust as Wire) };
  return credential == null ? {} : { delegation: credentialOf(credential as Wire) };
}

function trustOf(wire: Wire): Delegation {
  const between = wire['intermediary_user_ids'];
  if (!Array.isArray(between))
    throw new ServiceUnavailableError('identity', 'the trust of an access key without its chain');
  return {
    kind: 'trust',
    id: textIn(wire, 'id'),
    trustorId: textIn(wire, 'trustor_user_id'),
    trusteeId: textIn(wire, 'trustee_user_id'),
    intermediaryIds: between.map(String),
  };
}

/** Unreadable access rules must not count as none, which would allow everything. */
function credentialOf(wire: Wire): Delegation {
  const { unrestricted, access_rules: rules } = wire;
  if (rules !== null && !Array.isArray(rules))
    throw new ServiceUnavailableError(
      'identity',
      'the application credential of an access key without its access rules',
    );
  return {
    kind: 'application-credential',
    id: textIn(wire, 'id'),
    unrestricted: unrestricted === true,
    accessRules: rules?.map((rule: Wire) => ({
      service: textIn(rule, 'service'),
      method: textIn(rule, 'method'),
      path: textIn(rule, 'path'),
    })),
  };
}

function textIn(wire: Wire, name: string): string {
  const value = wire[name];
  if (typeof value === 'string') return value;
  throw new ServiceUnavailableError('identity', `an access key without ${name}`);
}
