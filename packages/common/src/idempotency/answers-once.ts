/**
 * Handles a POST once per Idempotency-Key. The handler's first transaction claims the key, and
 * stays open until the answer is written in it. So a crash leaves both or neither, and a retry is
 * answered or starts anew.
 *
 * Always holds: only successful answers are stored. A failure leaves the key free.
 */
import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { ACCESS, type Access } from '../auth/access.js';
import { RequestContext } from '../context/request-context.js';
import { RequestTransaction } from '../context/request-transaction.js';
import { asUnavailable } from '../database/transaction.js';
import { keyedRequestOf, OF_USER, type KeyedRequest, type KeyOwner } from './idempotency-key.js';
import { StoredAnswers, type StoredAnswer } from './stored-answers.js';

@Injectable()
export class AnswersOnce implements NestInterceptor {
  constructor(private readonly answers: StoredAnswers) {}

  intercept(host: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const key = request.headers['idempotency-key'];
    const ctx = request.cumuletContext;
    if (key === undefined || !ctx) return next.handle();
    const keyed = keyedRequestOf(request, ctx, key, ownerOf(host.getHandler()));
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    return from(this.#answer({ request, reply, ctx, keyed, next }));
  }

  async #answer({ request, reply, ctx, keyed, next }: Asked): Promise<unknown> {
    const kept = await this.answers.find(ctx.manager, keyed);
    if (kept) return repeated(kept, reply);
    let keptMeanwhile: StoredAnswer | undefined;
    const held = new RequestTransaction(ctx.manager.dataSource, async (manager) => {
      await this.answers.claim(manager, keyed);
      keptMeanwhile = await this.answers.find(manager, keyed);
      if (keptMeanwhile) throw new Error('the same request was answered meanwhile');
    });
    request.cumuletContext = new RequestContext({ ...ctx.fields, held });
    const before = reply.getHeaders();
    try {
      const body: unknown = await lastValueFrom(next.handle());
      const headers = newHeaders(reply, before);
      await held.run((manager) =>
        this.answers.keep(manager, keyed, { status: reply.statusCode, headers, body }),
      );
      await held.commit();
      return body;
    } catch (error) {
      await held.rollback();
      if (keptMeanwhile) return repeated(keptMeanwhile, reply);
      throw asUnavailable(error);
    }
  }
}

/** Routes with a policy depend on the user, as in identity. */
function ownerOf(handler: object): KeyOwner {
  const access = Reflect.getMetadata(ACCESS, handler) as Access | undefined;
  const isOfUser = Reflect.getMetadata(OF_USER, handler) === true;
  return access?.kind === 'role' && !isOfUser ? 'project' : 'user';
}

interface Asked {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly ctx: RequestContext;
  readonly keyed: KeyedRequest;
  readonly next: CallHandler<unknown>;
}

function repeated({ status, headers, body }: StoredAnswer, reply: FastifyReply): unknown {
  void reply.status(status).headers(headers);
  return body;
}

/** The headers of the handler; others belong to this one request. */
function newHeaders(
  reply: FastifyReply,
  before: ReturnType<FastifyReply['getHeaders']>,
): StoredAnswer['headers'] {
  const changed = Object.entries(reply.getHeaders()).filter(
    (entry): entry is [string, string | number | string[]] =>
      entry[1] !== undefined && entry[1] !== before[entry[0]],
  );
  return Object.fromEntries(changed);
}
