/**
 * Redirects from a stack's name or ID alone to the path with both. Public source: Orchestration API
 * reference, "Find stack"; heat, `api/openstack/v1/stacks.py`, `lookup`.
 */
import {
  Controller,
  Delete,
  Get,
  Injectable,
  Patch,
  Post,
  Put,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Allow } from '@cumulet/common/auth/access';
import { Operation } from '@cumulet/common/http/operation';
import { stackUrl } from '../http/links.js';
import { StackRepository } from '../rows/stack.repository.js';

const STACK = ':stack_identity';
const BELOW = ['resources', 'events', 'template', 'actions'].map((one) => `${STACK}/${one}`);
const FOUND = { status: 302 };

/** `arn:openstack:heat::{project_id}:stacks/{stack_name}/{stack_id}`. */
const ARN = /^arn:openstack:heat::[^:]*:stacks\/[^/]+\/([^/]+)/;

/** Keeps the rest of the path and the query. @throws EntityNotFoundError */
@Injectable()
class RedirectsToStack implements NestInterceptor {
  constructor(private readonly stacks: StackRepository) {}

  async intercept(
    host: ExecutionContext,
    next: CallHandler,
  ): Promise<ReturnType<CallHandler['handle']>> {
    const {
      params,
      routeOptions,
      url,
      cumuletContext: ctx,
    } = host.switchToHttp().getRequest<FastifyRequest>();
    if (!ctx) throw new Error('the request has no context');
    const { stack_identity: identity = '' } = params as Readonly<Record<string, string>>;
    const stack = await this.stacks.identify(ctx, ARN.exec(identity)?.[1] ?? identity);
    const [, below = ''] = (routeOptions.url ?? '').split(STACK);
    const [, query] = url.split(/\?(.*)/s);
    const location = stackUrl(ctx, stack) + below + (query ? `?${query}` : '');
    void host.switchToHttp().getResponse<FastifyReply>().header('Location', location);
    return next.handle();
  }
}

@ApiTags('stacks')
@Controller('stacks')
@UseInterceptors(RedirectsToStack)
export class StackLookupController {
  @Get(STACK)
  @Allow('reader')
  @Operation('Find a stack', null, FOUND)
  find(): void {}

  @Post(STACK)
  @Allow('member')
  @Operation('Find a stack to send something to', null, { ...FOUND, creates: false })
  findForPost(): void {}

  @Put(STACK)
  @Allow('member')
  @Operation('Find a stack to update', null, FOUND)
  findForUpdate(): void {}

  @Patch(STACK)
  @Allow('member')
  @Operation('Find a stack to update in part', null, FOUND)
  findForPatch(): void {}

  @Delete(STACK)
  @Allow('member')
  @Operation('Find a stack to delete', null, FOUND)
  findForDeletion(): void {}

  @Get([...BELOW, `${STACK}/environment`, `${STACK}/files`])
  @Allow('reader')
  @Operation('Find what a stack has', null, FOUND)
  findBelow(): void {}

  @Post(BELOW)
  @Allow('member')
  @Operation('Find what of a stack to send something to', null, { ...FOUND, creates: false })
  findBelowForPost(): void {}
}
