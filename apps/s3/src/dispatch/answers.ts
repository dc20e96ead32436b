/**
 * What a request is answered: by the API, or by a site that has registered itself here. Whoever has
 * to know of calls and their answers registers itself here too.
 */
import { fromForeign, isOurFault } from '@cumulet/common/errors/foreign-errors';
import { CONFIG, LOGGER } from '@cumulet/common/service/tokens';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Bucket } from '../buckets/bucket.entity.js';
import { corsHeadersOf, corsRequestOf } from '../buckets/cors-rules.js';
import type { S3Config } from '../config.js';
import { errorAnswer, failureOf, type Failure } from '../http/error-answer.js';
import { lateBody } from '../http/late-answer.js';
import type { S3Answer } from '../http/s3-answer.js';
import { isOfWebsite, requestOf, websiteRequestOf, type S3Request } from '../http/s3-request.js';
import type { AddressedCall } from '../operations/operation.js';
import { Dispatcher } from './dispatcher.js';
import { Preflights } from './preflights.js';

/** A call on a bucket; or a visit to a website, which is no operation. */
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

/** What answers at the hosts of websites. */
export interface Site {
  /** @param onBucket gets the bucket that is the website's */
  answer(request: S3Request, onBucket: (bucket: Bucket) => void): Promise<S3Answer>;
  /** Of what `answer` fails with. */
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

  /** Failures are answers too. */
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
