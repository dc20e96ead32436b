/**
 * Stacks by their name or id alone: each path leads to the one that has both. Public source:
 * Orchestration API reference, "Find stack"; heat, `api/openstack/v1/stacks.py`, `lookup`.
 */
import { Controller, Delete, Get, Param, Patch, Post, Put, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { stackUrl } from '../http/links.js';
import { StackFinder } from '../rows/shown-stack.repository.js';

const STACK = ':stack_identity';
const BELOW = ['resources', 'events', 'template', 'actions'].map((one) => `${STACK}/${one}`);
const FOUND = { status: 302 };

/** `arn:openstack:heat::{project_id}:stacks/{stack_name}/{stack_id}` names both. */
const ARN = /^arn:openstack:heat::[^:]*:stacks\/[^/]+\/([^/]+)/;

@ApiTags('stacks')
@Controller('stacks')
export class StackLookupController {
  constructor(private readonly finder: StackFinder) {}

  @Get(STACK)
  @Allow('reader')
  @Operation('Find a stack', null, FOUND)
  async find(
    @Ctx() ctx: RequestContext,
    @Param('stack_identity') identity: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.#redirect(ctx, identity, request, reply);
  }

  @Post(STACK)
  @Allow('member')
  @Operation('Find a stack to send something to', null, { ...FOUND, creates: false })
  async findForPost(
    @Ctx() ctx: RequestContext,
    @Param('stack_identity') identity: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.#redirect(ctx, identity, request, reply);
  }

  @Put(STACK)
  @Allow('member')
  @Operation('Find a stack to update', null, FOUND)
  async findForUpdate(
    @Ctx() ctx: RequestContext,
    @Param('stack_identity') identity: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.#redirect(ctx, identity, request, reply);
  }

  @Patch(STACK)
  @Allow('member')
  @Operation('Find a stack to update in part', null, FOUND)
  async findForPatch(
    @Ctx() ctx: RequestContext,
    @Param('stack_identity') identity: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.#redirect(ctx, identity, request, reply);
  }

  @Delete(STACK)
  @Allow('member')
  @Operation('Find a stack to delete', null, FOUND)
  async findForDeletion(
    @Ctx() ctx: RequestContext,
    @Param('stack_identity') identity: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.#redirect(ctx, identity, request, reply);
  }

  @Get([...BELOW, `${STACK}/environment`, `${STACK}/files`])
  @Allow('reader')
  @Operation('Find what a stack has', null, FOUND)
  async findBelow(
    @Ctx() ctx: RequestContext,
    @Param('stack_identity') identity: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.#redirect(ctx, identity, request, reply);
  }

  @Post(BELOW)
  @Allow('member')
  @Operation('Find what of a stack to send something to', null, { ...FOUND, creates: false })
  async findBelowForPost(
    @Ctx() ctx: RequestContext,
    @Param('stack_identity') identity: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.#redirect(ctx, identity, request, reply);
  }

  /** What follows the identity in the path, and the query, stay. @throws EntityNotFoundError */
  async #redirect(
    ctx: RequestContext,
    identity: string,
    { url, routeOptions }: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const stack = await this.finder.identify(ctx, ARN.exec(identity)?.[1] ?? identity);
    const [, below = ''] = (routeOptions.url ?? '').split(STACK);
    const [, query] = url.split(/\?(.*)/s);
    const location = stackUrl(ctx, stack) + below + (query ? `?${query}` : '');
    void reply.header('Location', location);
  }
}
