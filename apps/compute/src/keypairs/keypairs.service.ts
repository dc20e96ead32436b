import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { transactionLock } from '@cumulet/common/database/advisory-lock';
import { inTransaction } from '@cumulet/common/database/transaction';
import { ForbiddenError, InvalidInputError } from '@cumulet/common/errors/domain-error';
import { equals } from '@cumulet/common/tables/condition';
import { pageOfQuery } from '@cumulet/common/tables/page';
import { Table, type PageOfRows } from '@cumulet/common/tables/table';
import { MAX_PAGE } from '../http/pages.js';
import { ComputeQuotas } from '../quotas/compute-quotas.js';
import { refuseBefore, versionOf } from '../versions/microversions.js';
import { generatedKeypair, fingerprintOf } from './public-keys.js';
import { Keypair, type CreateKeypairDto, type ListKeypairsQuery } from './keypair.resource.js';
import {
  KeypairExistsError,
  KeypairNotFoundError,
  TooManyKeypairsError,
} from './keypair.errors.js';

const keypairs = new Table(Keypair, {
  missing: (key) => {
    const { name = '', userId = '' } = key as Partial<Keypair>;
    return new KeypairNotFoundError(name, userId);
  },
  missingMarker: (key) => {
    const { name = '' } = key as Partial<Keypair>;
    return new InvalidInputError(`Invalid input: marker '${name}' is not a key pair.`);
  },
  refusals: { keypairs_pkey: ({ name }) => new KeypairExistsError(name ?? '') },
});

/** Key pairs belong to users, not to projects. Public source: Nova API reference, "Keypairs". */
@Injectable()
export class KeypairsService {
  constructor(private readonly quotas: ComputeQuotas) {}

  /** @throws InvalidInputError if the marker is not one of the user's */
  page(ctx: RequestContext, query: ListKeypairsQuery): Promise<PageOfRows<Keypair>> {
    const { limit, sort = [] } = pageOfQuery<Keypair>(query, MAX_PAGE);
    if (query.limit !== undefined || query.marker !== undefined)
      refuseBefore(ctx, 35, 'a page of key pairs');
    const userId = userOf(ctx, query.user_id);
    return keypairs.list(ctx, {
      limit,
      sort,
      scope: [equals('userId', userId)],
      ...(query.marker === undefined ? {} : { marker: { userId, name: query.marker } }),
    });
  }

  /** @throws KeypairNotFoundError */
  get(ctx: RequestContext, name: string, userId?: string): Promise<Keypair> {
    return keypairs.get(ctx, { userId: userOf(ctx, userId), name });
  }

  /** Undefined if the caller has none of this name. */
  find(ctx: RequestContext, name: string): Promise<Keypair | undefined> {
    return keypairs.find(ctx, { userId: ctx.userId, name });
  }

  /** @throws InvalidKeypairError, KeypairExistsError, TooManyKeypairsError */
  async create(
    ctx: RequestContext,
    dto: CreateKeypairDto,
  ): Promise<{ readonly keypair: Keypair; readonly privateKey?: string }> {
    checkVersioned(ctx, dto);
    const userId = userOf(ctx, dto.user_id);
    const { type = 'ssh', public_key: given } = dto;
    const made = given === undefined ? await generatedKeypair(type, userId) : undefined;
    const publicKey = given ?? made?.publicKey ?? '';
    const row = {
      userId,
      name: dto.name.trim(),
      type,
      publicKey,
      fingerprint: fingerprintOf(type, publicKey),
    };
    const keypair = await inTransaction(ctx, async (tx) => {
      await this.#claim(tx, userId);
      return keypairs.insert(tx, row);
    });
    return { keypair, ...(made ? { privateKey: made.privateKey } : {}) };
  }

  /** Servers keep their copies. @throws KeypairNotFoundError */
  delete(ctx: RequestContext, name: string, userId?: string): Promise<void> {
    return keypairs.delete(ctx, { userId: userOf(ctx, userId), name });
  }

  /** The project's limit applies to each user by itself. */
  async #claim(tx: RequestContext, userId: string): Promise<void> {
    await transactionLock(tx.manager, `keypairs:${userId}`);
    const { key_pairs: limit } = await this.quotas.limits(tx, tx.projectId);
    if (limit < 0) return;
    const owned = await keypairs.select(tx, [equals('userId', userId)], `LIMIT ${limit}`);
    if (owned.length >= limit) throw new TooManyKeypairsError(limit);
  }
}

/**
 * Services may act on other users' key pairs: a stack's is deleted with the stack.
 * @throws ForbiddenError for another user's, unless for an administrator or a service
 */
function userOf(ctx: RequestContext, asked: string | undefined): string {
  if (asked === undefined || asked === ctx.userId) return ctx.userId;
  refuseBefore(ctx, 10, 'user_id');
  if (ctx.isAdmin || ctx.isService) return asked;
  throw new ForbiddenError("Access to another user's key pairs needs the role admin.");
}

/** @throws InvalidInputError for fields that the microversion does not have, or requires */
function checkVersioned(ctx: RequestContext, dto: CreateKeypairDto): void {
  if (dto.type !== undefined) refuseBefore(ctx, 2, 'keypair.type');
  if (dto.user_id !== undefined) refuseBefore(ctx, 10, 'keypair.user_id');
  if (/[@.]/.test(dto.name)) refuseBefore(ctx, 92, `keypair.name with '@' or '.'`);
  if (dto.public_key === undefined && versionOf(ctx).atLeast(92))
    throw new InvalidInputError(
      'Invalid input: keypair.public_key is required since microversion 2.92, which does not generate keys.',
    );
}
