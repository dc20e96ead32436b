/** What a request is answered, by the API or by a website. */
import { Inject, Injectable } from '@nestjs/common';
import { fromForeign, isOurFault } from '@cumulet/common/errors/foreign-errors';
import { CONFIG, LOGGER } from '@cumulet/common/service/tokens';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { AccessLogs } from '../access-logs/access-logs.js';
import type { LoggedCall } from '../access-logs/logged-call.js';
import type { S3Config } from '../config.js';
import { corsHeadersOf, corsRequestOf } from '../configurations/cors/cors-headers.js';
import { Preflights } from '../configurations/cors/preflights.js';
import { Dispatcher } from '../operations/dispatcher.js';
import { errorPage } from '../website/error-page.js';
import { Websites } from '../website/websites.js';
import { errorAnswer, failureOf } from './error-answer.js';
import { lateBody } from './late-answer.js';
import type { S3Answer } from './s3-answer.js';
import { isOfWebsite, requestOf, websiteRequestOf, type S3Request } from './s3-request.js';

@Injectable()
export class Answers {
  constructor(
    @Inject(CONFIG) private readonly config: S3Config,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly dispatcher: Dispatcher,
    private readonly preflights: Preflights,
    private readonly websites: Websites,
    private readonly accessLogs: AccessLogs,
  ) {}

  /** Failures are answers too. */
  async to(request: FastifyRequest, reply: FastifyReply): Promise<S3Answer> {
    let shared: Record<string, string> | undefined;
    let log: ReturnType<AccessLogs['begin']>;
    const answer = await this.#answer(request, (call, { method, headers }) => {
      const asked = corsRequestOf(method, headers);
      const { cors = [] } = call.bucket.configurations;
      shared = asked && corsHeadersOf(cors, { ...asked, headers: [] });
      log = this.accessLogs.begin(call, reply);
    });
    log?.(answer);
    return shared ? { ...answer, headers: { ...answer.headers, ...shared } } : answer;
  }

  async #answer(
    request: FastifyRequest,
    onBucket: (call: LoggedCall, asked: S3Request) => void,
  ): Promise<S3Answer> {
    const answer = await this.#attempt(request, onBucket);
    if (!answer.rest) return answer;
    const rest = answer.rest.catch((error: unknown) => this.#failure(request, error));
    return { ...answer, rest, body: lateBody(rest, this.config.answerWithinSeconds * 500) };
  }

  async #attempt(
    request: FastifyRequest,
    onBucket: (call: LoggedCall, asked: S3Request) => void,
  ): Promise<S3Answer> {
    try {
      if (isOfWebsite(request, this.config)) {
        const visit = websiteRequestOf(request, this.config);
        return await this.websites.answer(visit, (bucket) =>
          onBucket({ bucket, request: visit }, visit),
        );
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
    if (isOfWebsite(request, this.config)) return errorPage(failureOf(failure, id), id);
    const [path = '/'] = originalUrl.split('?', 1);
    return errorAnswer(failure, id, path);
  }
}
