import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { CONFIG } from '@cumulet/common/service/tokens';
import { SweepEvery } from '@cumulet/common/service/background';
import { compares, equals } from '@cumulet/common/tables/condition';
import { filtersOf } from '@cumulet/common/tables/listing';
import { shared } from '../access/access.js';
import type { SecretsConfig } from '../config.js';
import { pageOf, type NumberedPage } from '../http/pages.js';
import { timeOf } from '../http/time.js';
import { wantedType, type ContentType } from './payloads/content-types.js';
import { isUtf8Text, writtenPayload, type Payload } from './payloads/payload.js';
import { PayloadsService } from './payloads/payloads.service.js';
import { SecretQuotas } from '../quotas/secret-quotas.js';
import {
  NoPayloadError,
  PayloadNotAcceptableError,
  SecretHasConsumersError,
} from './secret.errors.js';
import { sortOf } from './secret.filters.js';
import {
  isAlive,
  secretGiven,
  secrets,
  type ListSecretsQuery,
  type NewSecretDto,
  type Secret,
  type SecretId,
} from './secret.resource.js';

/** Public source: Key Manager API reference, "Secrets API". */
@Injectable()
export class SecretsService {
  constructor(
    @Inject(CONFIG) private readonly config: SecretsConfig,
    private readonly quotas: SecretQuotas,
    private readonly payloads: PayloadsService,
  ) {}

  list(ctx: RequestContext, query: ListSecretsQuery): Promise<NumberedPage<Secret>> {
    const scope = query.acl_only === true ? shared(ctx) : equals('projectId', ctx.projectId);
    const page = {
      scope: [scope],
      where: [isAlive, ...filtersOf(query)],
      sort: sortOf(query.sort),
    };
    return pageOf(ctx, secrets, query, page);
  }

  /** @throws InvalidInputError, PayloadTooLargeError or the error of a quota */
  async create(ctx: RequestContext, body: NewSecretDto): Promise<SecretId> {
    const payload = writtenPayload(body, this.config.maxPayloadBytes);
    const expiration = expirationOf(body.expiration);
    const { name, ...given } = secretGiven(body);
    const id = asId<SecretId>(randomUUID());
    await inTransaction(ctx, async (tx) => {
      await this.quotas.claim(tx, { secrets: 1 });
      await secrets.insert(tx, {
        id,
        projectId: tx.projectId,
        creatorId: tx.userId,
        ...given,
        name: name?.trim() ?? null,
        expiration,
      });
      if (payload) await this.payloads.store(tx, id, payload);
    });
    return id;
  }

  show(ctx: RequestContext, id: SecretId): Promise<Secret> {
    return secrets.permitted(ctx, id, 'secret:get');
  }

  /**
   * The payload, in a type that the client accepts.
   * @throws NoPayloadError, PayloadNotAcceptableError
   */
  async open(ctx: RequestContext, id: SecretId, accept: string | undefined): Promise<Payload> {
    const { contentType: own } = await secrets.permitted(ctx, id, 'secret:decrypt');
    if (own === null) throw new NoPayloadError(id);
    const contentType = wantedType(accept, own);
    if (contentType === undefined) throw new PayloadNotAcceptableError(id, accept ?? '', own);
    const bytes = await this.payloads.open(ctx, id);
    if (!isOfType(bytes, contentType, own))
      throw new PayloadNotAcceptableError(id, accept ?? '', own);
    return { contentType, bytes };
  }

  /** Stores the payload of a secret that was created without one. @throws PayloadExistsError */
  async fill(ctx: RequestContext, id: SecretId, payload: () => Payload): Promise<void> {
    await secrets.permitted(ctx, id, 'secret:put');
    const given = payload();
    await inTransaction(ctx, (tx) => this.payloads.store(tx, id, given));
  }

  /** @throws SecretHasConsumersError since 1.2, unless it is forced */
  async delete(ctx: RequestContext, id: SecretId, force: boolean): Promise<void> {
    await inTransaction(ctx, async (tx) => {
      const { consumers } = await secrets.held(tx, id, 'secret:delete');
      const isGuarded = ctx.fields.microversion?.atLeast(2) === true && !force;
      if (isGuarded && consumers.length > 0) throw new SecretHasConsumersError(id);
      await secrets.delete(tx, id);
    });
  }

  /** Expired secrets are hidden already. */
  @SweepEvery(60_000, 'expired-secrets')
  async forget(ctx: RequestContext): Promise<void> {
    await secrets.deleteAll(ctx, [compares('expiration', 'lte', new Date())]);
  }
}

/** Bytes that are not UTF-8 cannot be read as text; any text can be read as bytes. */
function isOfType(bytes: Buffer, wanted: ContentType, own: ContentType): boolean {
  return wanted === own || wanted !== 'text/plain' || isUtf8Text(bytes);
}

/** @throws InvalidInputError for a time that has passed */
function expirationOf(text: string | undefined): Date | null {
  const expiration = text === undefined ? undefined : timeOf(text);
  if (!expiration) return null;
  if (expiration.getTime() > Date.now()) return expiration;
  throw new InvalidInputError(`Invalid input: expiration '${text ?? ''}' has passed already.`);
}
