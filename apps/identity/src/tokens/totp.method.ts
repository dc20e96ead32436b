/**
 * Passcodes from the secrets in the user's credentials of type `totp`. As in Keystone, a passcode can
 * be used several times while it is valid: a client logs in again for each command. Public source:
 * Keystone administrator guide, "Time-based One-time Password (TOTP)", and RFC 6238.
 */
import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Secret, TOTP } from 'otpauth';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { UnauthenticatedError } from '@cumulet/common/errors/domain-error';
import { CredentialsService } from '../credentials/credentials.service.js';
import { LoginAttempts, subjectOf } from '../users/passwords/login-attempts.js';
import { users, type Account } from '../users/user.repository.js';
import type { Identified, ProofOf } from './auth-request.js';

/** Seconds for which a passcode is shown. The previous one is valid too. */
const PERIOD = 30;
const DIGITS = 6;

/**
 * @param secret in base32, with or without padding; any other text matches nothing
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
    // Anybody can compute the passcodes of an empty secret.
    if (secret.bytes.length === 0) return undefined;
    return new TOTP({ secret, algorithm: 'SHA1', digits: DIGITS, period: PERIOD });
  } catch {
    return undefined;
  }
}

@Injectable()
export class TotpMethod {
  constructor(
    private readonly credentials: CredentialsService,
    private readonly attempts: LoginAttempts,
  ) {}

  /** @throws UnauthenticatedError for a bad proof */
  async check(ctx: RequestContext, { user, passcode }: ProofOf<'totp'>): Promise<Identified> {
    const account = await users.findAccount(ctx, user);
    const moment = Date.now();
    const isGood = await this.#isGood(ctx, account, passcode, moment);
    const { key, isExempt } = subjectOf(account, user, ctx.fields.clientAddress);
    // Counted separately from passwords: knowing the password must not allow endless guesses.
    const isAdmitted = await this.attempts.admit(ctx, { key: `totp:${key}`, isExempt }, isGood);
    if (!isAdmitted || !account) throw new UnauthenticatedError();
    return {
      account,
      methods: ['totp'],
      confirm: (tx, now) => this.#isGood(tx, now, passcode, moment),
    };
  }

  async #isGood(
    ctx: RequestContext,
    account: Account | undefined,
    passcode: string,
    moment: number,
  ): Promise<boolean> {
    // Also runs for unknown users, so that the time does not reveal who exists.
    const secrets = await this.credentials.listSeeds(ctx, account?.id ?? '');
    const matches = secrets.some((secret) => isPasscode(secret, passcode, moment));
    return matches && account?.enabled === true;
  }
}
