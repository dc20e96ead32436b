/**
 * Leads a request to the operation that it asks for: who sent it, which bucket and object it is
 * about, whether it may, and then the operation itself.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { providersOf } from '@cumulet/common/service/providers-of';
import { CONFIG } from '@cumulet/common/service/tokens';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { requireRule } from '../access/access-rules.js';
import { Access, chargedHeaders } from '../access/access.js';
import { Authenticator } from '../auth/authenticator.js';
import type { Caller } from '../auth/caller.js';
import type { S3Config } from '../config.js';
import { inTime } from '../http/late-answer.js';
import type { S3Answer } from '../http/s3-answer.js';
import { S3Error } from '../http/s3-error.js';
import type { S3Request } from '../http/s3-request.js';
import { versionIdOf } from '../objects/version-id.js';
import { operationOf, requireHeaders } from '../operations/operation-of.js';
import type { OperationDeclaration } from '../operations/operation-row.js';
import {
  contextOf,
  handlersAmong,
  type AddressedCall,
  type Operation,
} from '../operations/operation.js';
import type { OperationName } from '../operations/operations.js';
import {
  bucketNameOf,
  noSuchBucket,
  TargetRepository,
  type Target,
} from '../operations/target.repository.js';

@Injectable()
export class Dispatcher implements OnApplicationBootstrap {
  #handlers: ReadonlyMap<OperationName, Operation> = new Map();

  constructor(
    @Inject(CONFIG) private readonly config: S3Config,
    private readonly modules: ModulesContainer,
    private readonly dataSource: DataSource,
    private readonly authenticator: Authenticator,
    private readonly targets: TargetRepository,
    private readonly access: Access,
  ) {}

  onApplicationBootstrap(): void {
    this.#handlers = handlersAmong(providersOf({ get: () => this.modules as never }));
  }

  /**
   * @param onBucket gets the call with its bucket, if it is about one, before anything is decided
   * @returns the answer, or of what takes long, one with a `rest` that may fail
   * @throws S3Error, and whatever keeps the operation from being carried out
   */
  async dispatch(
    sent: S3Request,
    onBucket: (call: AddressedCall) => void = () => undefined,
  ): Promise<S3Answer> {
    const operation = operationOf(sent);
    const { request, caller, body } = await this.authenticator.identify(operation, sent);
    requireHeaders(operation, request.headers);
    requireRule(caller, sent.method, sent.address);
    const ctx = contextOf(request, caller, this.dataSource);
    const handler = this.#handlers.get(operation.name as OperationName);
    const { bucket, object } = await this.#target(ctx, request, operation, caller);
    const { key } = request.address;
    const call = { ctx, request, operation, caller, body, key, object };
    if (bucket) onBucket({ ...call, bucket });
    await this.access.require({ request, operation, caller, bucket, key, object });
    if (!handler) throw notImplemented(operation);
    const work = handler.run({ ...call, bucket } as never);
    const answer = await (operation.takesLong === true
      ? inTime(work, this.config.answerWithinSeconds * 1_000, () => request.raw.complete)
      : work);
    if (!bucket) return answer;
    return { ...answer, headers: { ...answer.headers, ...chargedHeaders({ ...call, bucket }) } };
  }

  /** @throws S3Error NoSuchBucket; AccessDenied if nobody says whose bucket it is */
  async #target(
    ctx: RequestContext,
    { address, query }: S3Request,
    { name, on, of }: OperationDeclaration,
    caller: Caller,
  ): Promise<Partial<Target>> {
    if (on === 'service' || name === 'CreateBucket' || address.bucket === undefined) return {};
    const named = bucketNameOf(address.bucket, caller, this.config);
    const found =
      of !== undefined
        ? await this.targets.find(ctx, named, {
            key: address.key ?? '',
            versionId: versionIdOf(query),
            hasBytes: of === 'bytes',
          })
        : { bucket: await this.targets.findBucket(ctx, named), object: undefined };
    if (found?.bucket) return { bucket: found.bucket, object: found.object };
    throw noSuchBucket(named.name);
  }
}

function notImplemented({ name, method, query }: OperationDeclaration): S3Error {
  return new S3Error('NotImplemented', {
    message: `The operation ${name} (${method}${query === '' ? '' : ` ?${query}`}) is not implemented.`,
  });
}
