/** The passwords of service users while CUMULET_SERVICE_PASSWORD is replaced. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IdentityConfig } from '../../config.js';
import type { Account } from '../user.repository.js';

export type ServicePasswords = Pick<
  IdentityConfig,
  'services' | 'servicePassword' | 'oldServicePasswords'
>;

/** Service users are of this domain; users of other domains may have their names. */
const DOMAIN = 'default';

/**
 * Whether settings let a service user in by this password, whichever of them its row has. Only
 * while several are set: otherwise an administrator may give the user another one.
 */
export function isServicePassword(
  { services, servicePassword, oldServicePasswords = [] }: ServicePasswords,
  { name, domainId }: Pick<Account, 'name' | 'domainId'>,
  password: string,
): boolean {
  if (oldServicePasswords.length === 0 || domainId !== DOMAIN) return false;
  const isService = services.some(({ user }) => user === name);
  return (
    isService && [servicePassword, ...oldServicePasswords].some((one) => isSame(one, password))
  );
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(hashOf(one), hashOf(other));
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
