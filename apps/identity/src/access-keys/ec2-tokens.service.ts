import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError, UnauthenticatedError } from '@cumulet/common/errors/domain-error';
import { keyHolder } from './key-holder.js';
import type { OpenCredential } from '../credentials/credential.entity.js';
import { CredentialsService } from '../credentials/credentials.service.js';
import { accessKeyId, signingSecret } from '../credentials/ec2-blob.js';
import { readTimestamp } from '../http/timestamp.js';
import { BY_ACCESS_KEY } from '../policy/caller.js';
import { TokensService, type IssuedToken } from '../tokens/tokens.service.js';

/** Milliseconds for which a request is good after the time that it was signed with, as in Keystone. */
const MAX_AGE = 15 * 60_000;

/** What a service was shown in the place of a token. */
export interface SignatureClaim {
  readonly access: string;
  /** When the request was signed, as it says itself; undefined where it does not. */
  readonly signedAt?: string | undefined;
  readonly isSignedBy: (secret: string) => boolean;
}

/** From a signed request to a token of its signer. */
@Injectable()
export class Ec2TokensService {
  constructor(
    private readonly credentials: CredentialsService,
    private readonly tokens: TokensService,
  ) {}

  /**
   * The token is of the key's own project, and within the trust or application credential by which the
   * key was made. Rules for several factors do not bind a key, as they do not in Keystone.
   * @throws DomainError for an unknown key, also for one that is to act within another delegation
   * @throws UnauthenticatedError for another signature, a request that is too old, a user that is
   *   disabled or has no role on the project, and a trust or application credential that has ended
   * @throws ForbiddenError where the trustor of the key's trust has lost a role
   */
  async issue(ctx: RequestContext, claim: SignatureClaim): Promise<IssuedToken> {
    const credential = await this.credentials.find(ctx, accessKeyId(claim.access));
    const secret = credential && signingSecret(credential);
    if (!credential || credential.projectId === null || secret === undefined)
      throw new DomainError('not-found', 'EC2 access key not found.');
    if (!claim.isSignedBy(secret) || isTooOld(claim.signedAt)) throw new UnauthenticatedError();
    const holder = await keyHolder(ctx, credential);
    if (!holder) throw new UnauthenticatedError();
    const confirm = (tx: RequestContext): Promise<boolean> => this.#stands(tx, credential);
    const { asked, ...prover } = holder;
    return this.tokens.issueTo(ctx, { ...prover, methods: [BY_ACCESS_KEY], confirm }, asked);
  }

  async #stands(tx: RequestContext, read: OpenCredential): Promise<boolean> {
    const now = await this.credentials.find(tx, read.id);
    return (
      now?.blob === read.blob && now.userId === read.userId && now.projectId === read.projectId
    );
  }
}

/** `20260131T120000Z` is the same as with dashes and colons. */
function isTooOld(signedAt: string | undefined): boolean {
  if (signedAt === undefined) return false;
  const basic = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;
  const moment = readTimestamp(signedAt.replace(basic, '$1-$2-$3T$4:$5:$6Z'));
  return moment === undefined || Date.now() > moment.getTime() + MAX_AGE;
}
