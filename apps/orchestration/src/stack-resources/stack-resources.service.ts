/** Public source: Orchestration API reference, "Stack resources". */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { ReadStack } from '../engine/commands/read-stack.js';
import { SignalResource } from '../engine/commands/signal-resource.js';
import type { Query } from '../http/query.js';
import { StackRepository } from '../rows/stack.repository.js';
import { ResourceNotFoundError } from '../rows/stack.errors.js';
import type { Stack } from '../rows/stack.entity.js';
import type { StackPath } from '../http/stack-path.js';
import { StacksService } from '../stacks/stacks.service.js';
import type { Json, JsonObject } from '../json/json.js';
import { MetadataOfResources } from './resource-metadata.js';
import { resourceListQuery } from './resource-list.query.js';
import { ShownResourceRepository, type ListedResource } from './shown-resource.repository.js';
import type { MarkUnhealthyDto } from './stack-resource.answers.js';
import type { StackResource } from '../rows/stack-resource.entity.js';

export interface ShownResource {
  readonly resource: ListedResource;
  /** Undefined in lists without `with_attr`. */
  readonly attributes: JsonObject | undefined;
}

/** Concurrent requests to sister services for one list. */
const AT_ONCE = 8;

@Injectable()
export class StackResourcesService {
  constructor(
    private readonly reading: ReadStack,
    private readonly signals: SignalResource,
    private readonly stacks: StacksService,
    private readonly finder: StackRepository,
    private readonly resources: ShownResourceRepository,
    private readonly metadataOf: MetadataOfResources,
  ) {}

  /** Empty for a deleted stack. @throws EntityNotFoundError, InvalidInputError */
  async list(ctx: RequestContext, { name, id }: StackPath, asked: Query): Promise<ShownResource[]> {
    const query = resourceListQuery(asked);
    const stack = await this.finder.locate(ctx, name, id, { evenDeleted: true });
    const rows = await this.resources.list(ctx, stack.id, query);
    if (!query.withDetail) return rows.map((resource) => ({ resource, attributes: undefined }));
    const shown: ShownResource[] = [];
    for (let at = 0; at < rows.length; at += AT_ONCE)
      shown.push(
        ...(await Promise.all(rows.slice(at, at + AT_ONCE).map((row) => this.#detailed(ctx, row)))),
      );
    return shown;
  }

  /** @param names of attributes besides those of its type */
  async show(
    ctx: RequestContext,
    path: StackPath,
    resource: string,
    names: readonly string[],
  ): Promise<ShownResource> {
    const { stack, row } = await this.#find(ctx, path, resource);
    const listed = await this.resources.find(ctx, stack.id, row.name);
    if (!listed) throw new ResourceNotFoundError(resource, stack.name);
    return { resource: listed, attributes: await this.#attributesOf(ctx, row, names) };
  }

  /** For a server, with the configs deployed to it, which its agent reads there. */
  async metadata(ctx: RequestContext, path: StackPath, resource: string): Promise<Json> {
    const { stack, row } = await this.#find(ctx, path, resource);
    return this.metadataOf.of(ctx, stack, row);
  }

  async signal(
    ctx: RequestContext,
    path: StackPath,
    resource: string,
    details: Json,
  ): Promise<void> {
    const { row } = await this.#find(ctx, path, resource);
    await this.signals.signal(ctx, row, details);
  }

  /** @param resource its name or physical ID */
  async mark(
    ctx: RequestContext,
    path: StackPath,
    resource: string,
    { mark_unhealthy: isUnhealthy, resource_status_reason: reason }: MarkUnhealthyDto,
  ): Promise<void> {
    const { stack, row } = await this.#find(ctx, path, resource, true);
    await this.signals.markUnhealthy(ctx, stack, row, isUnhealthy, reason || null);
  }

  async #find(
    ctx: RequestContext,
    path: StackPath,
    resource: string,
    byPhysicalId = false,
  ): Promise<{ readonly stack: Stack; readonly row: StackResource }> {
    const stack = await this.stacks.find(ctx, path);
    const row = await this.resources.row(ctx, stack.id, resource);
    if (!row || (!byPhysicalId && row.name !== resource))
      throw new ResourceNotFoundError(resource, stack.name);
    return { stack, row };
  }

  async #detailed(ctx: RequestContext, listed: ListedResource): Promise<ShownResource> {
    const { stackId: id, stackName: name } = listed;
    const { row } = await this.#find(ctx, { id, name }, listed.name);
    return { resource: listed, attributes: await this.#attributesOf(ctx, row, []) };
  }

  /** Empty if its service does not answer; the rest is shown all the same. */
  async #attributesOf(
    ctx: RequestContext,
    row: StackResource,
    names: readonly string[],
  ): Promise<JsonObject> {
    try {
      const own = await this.reading.attributesOf(ctx, row);
      if (names.length === 0) return own;
      return { ...own, ...(await this.reading.attributesOf(ctx, row, names)) };
    } catch (error) {
      if (error instanceof DomainError && error.kind !== 'bug') return {};
      throw error;
    }
  }
}
