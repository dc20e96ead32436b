/**
 * Passcodes of an authenticator, from the secrets that the user keeps as credentials of the type
 * `totp`. Public source: Keystone administrator guide, "Time-based One-time Password (TOTP)", and
 * RFC 6238.
 *
 * A passcode can be used as often as it is valid, as in Keystone: a client logs in anew for each of
 * its commands.
 */
import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Secret, TOTP } from 'otpauth';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { UnauthenticatedError } from '@cumulet/common/errors/domain-error';
import { CredentialsService } from '../../credentials/credentials.service.js';
import { LoginAttempts, subjectOf } from '../../passwords/login-attempts.js';
import { UserRepository, type Account } from '../../users/user.repository.js';
import type { Identified, LoginMethod, ProofOf } from '../auth-request.js';

/** Seconds for which a passcode is shown. The one before is good too, for who types slowly. */
const PERIOD = 30;
const DIGITS = 6;

/**
 * @param secret in base32, with or without padding; one that is not in base32 matches nothing
 * @param now milliseconds since the epoch
 */
export function isPasscode(secret: string, passcode: string, now: number): boolean {
  const totp = totpOf(secret);
  if (!totp) return false;
  const given = Buffer.from(passcode);
  return [now, now - PERIOD * 1000]
    .map((timestamp) => Buffer.from(totp.generate({ timestamp })))
    .some((expected) => expected.length === given.length && timingSafeEqual(expected, given));
}

function totpOf(base32: string): TOTP | undefined {
  try {
    const secret = Secret.fromBase32(base32);
    // The passcodes of an empty secret are known to everybody.
    if (secret.bytes.length === 0) return undefined;
    return new TOTP({ secret, algorithm: 'SHA1', digits: DIGITS, period: PERIOD });
  } catch {
    return undefined;
  }
}

@Injectable()
export class TotpMethod implements LoginMethod<ProofOf<'totp'>> {
  constructor(
    private readonly users: UserRepository,
    private readonly credentials: CredentialsService,
    private readonly attempts: LoginAttempts,
  ) {}

  async check(ctx: RequestContext, { user, passcode }: ProofOf<'totp'>): Promise<Identified> {
    const account = await this.users.findAccount(ctx, user);
    const now = Date.now();
    const isGood = await this.#isGood(ctx, account, passcode, now);
    const { key, isExempt } = subjectOf(account, user);
    // Counted apart from passwords: who knows the password must not guess passcodes for ever.
    const isAdmitted = await this.attempts.settle(ctx, { key: `totp:${key}`, isExempt }, isGood);
    if (!isAdmitted || !account) throw new UnauthenticatedError();
    return {
      account,
      methods: ['totp'],
      confirm: async (tx) =>
        this.#isGood(tx, await this.users.findAccount(tx, { id: account.id }), passcode, now),
    };
  }

  async #isGood(
    ctx: RequestContext,
    account: Account | undefined,
    passcode: string,
    now: number,
  ): Promise<boolean> {
    // Also asked for nobody's, so that the time does not tell who exists.
    const secrets = await this.credentials.listBlobs(ctx, account?.id ?? '', 'totp');
    const matches = secrets.some((secret) => isPasscode(secret, passcode, now));
    return matches && account?.enabled === true;
  }
}
