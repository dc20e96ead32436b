/**
 * Leads a request to its answer: by the operation that it asks for, by a preflight's rules, or by a
 * site that has registered itself here. Observers of calls and their answers register themselves too.
 */
import { fromForeign, isOurFault } from '@cumulet/common/errors/foreign-errors';
import { CONFIG, LOGGER } from '@cumulet/common/service/tokens';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { providersOf } from '@cumulet/common/service/feature';
import { ModulesContainer } from '@nestjs/core';
import type { Bucket } from '../buckets/bucket.entity.js';
import { corsHeadersOf, corsRequestOf, type CorsRequest } from '../buckets/cors-rules.js';
import type { S3Config } from '../config.js';
import { errorAnswer, failureOf, type Failure } from '../http/error-answer.js';
import { lateBody, type S3Answer, inTime } from '../http/s3-answer.js';
import { isOfWebsite, requestOf, websiteRequestOf, type S3Request } from '../http/s3-request.js';
import {
  type AddressedCall,
  contextOf,
  handlersAmong,
  type Operation,
  operationOf,
  requireHeaders,
} from '../operations/operation.js';
import { ANONYMOUS, type Caller } from '../auth/caller.js';
import { S3Error } from '../http/s3-error.js';
import {
  TargetRepository,
  bucketNameOf,
  noSuchBucket,
  type Target,
} from '../operations/target.repository.js';
import { requireRule, Access, chargedHeaders } from '../access/access.js';
import { Authenticator } from '../auth/authenticator.js';
import { versionIdOf } from '../objects/version-id.js';
import type { OperationDeclaration } from '../operations/operation-row.js';
import type { OperationName } from '../operations/operations.js';

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
   * @param onBucket receives the call with its bucket, if it has one, before anything is decided
   * @returns the answer; a long operation's has a `rest` that may fail
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

  /** @throws S3Error NoSuchBucket; AccessDenied if the bucket's project is unknown */
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

/** Amazon's own text, which clients match, typo included. */
const NOT_ALLOWED =
  "CORSResponse: This CORS request is not allowed. This is usually because the evalution of Origin, request method / Access-Control-Request-Method or Access-Control-Request-Headers are not whitelisted by the resource's CORS spec.";

/**
 * Preflights of browsers. A preflight does not say who will ask, so not which project's bucket is meant
 * either: it is answered by whichever bucket of this name allows the request, which is then judged by
 * itself. Public source: Amazon S3 API reference, "OPTIONS object".
 */
@Injectable()
export class Preflights {
  constructor(
    private readonly dataSource: DataSource,
    private readonly targets: TargetRepository,
  ) {}

  /** @throws S3Error BadRequest, AccessForbidden */
  async answer(request: S3Request): Promise<S3Answer> {
    const asked = askedOf(request);
    const { bucket } = request.address;
    const ctx = contextOf(request, ANONYMOUS, this.dataSource);
    const rules = bucket ? await this.targets.findCorsRules(ctx, bucket) : [];
    for (const one of rules) {
      const headers = corsHeadersOf(one, asked);
      if (headers) return { headers };
    }
    throw new S3Error('AccessForbidden', {
      message:
        rules.length === 0
          ? 'CORSResponse: CORS is not enabled for this bucket.'
          : `${NOT_ALLOWED} No rule of the bucket has the origin ${asked.origin.slice(0, 200)}, the method ${asked.method.slice(0, 20)} and the headers "${asked.headers.join(', ').slice(0, 200)}".`,
      details: { Method: asked.method.slice(0, 20), ResourceType: 'OBJECT' },
    });
  }
}

function askedOf({ headers, method }: S3Request): CorsRequest {
  const asked = corsRequestOf(method, headers);
  if (!asked) {
    throw new S3Error('BadRequest', {
      message: 'Insufficient information. Origin request header needed.',
    });
  }
  if (headers['access-control-request-method'] !== undefined) return asked;
  throw new S3Error('BadRequest', {
    message: 'Invalid Access-Control-Request-Method: null',
  });
}

/** A call on a bucket, or a visit to a website, which has no operation. */
export type AnsweredCall = Pick<AddressedCall, 'bucket' | 'request'> & Partial<OfOperation>;
type OfOperation = Pick<AddressedCall, 'operation' | 'caller' | 'body' | 'object'>;

/**
 * Gets a call once its bucket is known, before its body is read.
 * @returns what is to be called with the answer, before that is sent; undefined if it does not matter
 */
export type Follower = (
  call: AnsweredCall,
  reply: FastifyReply,
) => ((answer: S3Answer) => void) | undefined;

export interface Site {
  /** @param onBucket gets the bucket that is the website's */
  answer(request: S3Request, onBucket: (bucket: Bucket) => void): Promise<S3Answer>;
  /** The page for a failure of `answer`. */
  failure(failure: Failure, requestId: string): S3Answer;
}

type OnBucket = (call: AnsweredCall, asked: S3Request) => void;

@Injectable()
export class Answers {
  readonly #followers: Follower[] = [];
  #site: Site | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: S3Config,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly dispatcher: Dispatcher,
    private readonly preflights: Preflights,
  ) {}

  follow(follower: Follower): void {
    this.#followers.push(follower);
  }

  serve(site: Site): void {
    this.#site = site;
  }

  async to(request: FastifyRequest, reply: FastifyReply): Promise<S3Answer> {
    let shared: Record<string, string> | undefined;
    let followed: ReturnType<Follower>[] = [];
    const answer = await this.#answer(request, (call, { method, headers }) => {
      const asked = corsRequestOf(method, headers);
      const { cors = [] } = call.bucket.configurations;
      shared = asked && corsHeadersOf(cors, { ...asked, headers: [] });
      followed = this.#followers.map((follow) => follow(call, reply));
    });
    for (const tell of followed) tell?.(answer);
    return shared ? { ...answer, headers: { ...answer.headers, ...shared } } : answer;
  }

  async #answer(request: FastifyRequest, onBucket: OnBucket): Promise<S3Answer> {
    const answer = await this.#attempt(request, onBucket);
    if (!answer.rest) return answer;
    const rest = answer.rest.catch((error: unknown) => this.#failure(request, error));
    return { ...answer, rest, body: lateBody(rest, this.config.answerWithinSeconds * 500) };
  }

  async #attempt(request: FastifyRequest, onBucket: OnBucket): Promise<S3Answer> {
    try {
      const site = this.#siteOf(request);
      if (site) {
        const visit = websiteRequestOf(request, this.config);
        return await site.answer(visit, (bucket) => onBucket({ bucket, request: visit }, visit));
      }
      const asked = requestOf(request, this.config);
      if (asked.method === 'OPTIONS') return await this.preflights.answer(asked);
      return await this.dispatcher.dispatch(asked, (call) => onBucket(call, asked));
    } catch (error) {
      return this.#failure(request, error);
    }
  }

  #failure(request: FastifyRequest, error: unknown): S3Answer {
    const { id, originalUrl } = request;
    const failure = fromForeign(error);
    if (isOurFault(failure)) this.logger.error({ requestId: id, err: failure }, 'request failed');
    const site = this.#siteOf(request);
    if (site) return site.failure(failureOf(failure, id), id);
    const [path = '/'] = originalUrl.split('?', 1);
    return errorAnswer(failure, id, path);
  }

  #siteOf(request: FastifyRequest): Site | undefined {
    return isOfWebsite(request, this.config) ? this.#site : undefined;
  }
}
