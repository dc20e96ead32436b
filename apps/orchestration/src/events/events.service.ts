import { Injectable } from '@nestjs/common';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Query } from '../http/query.js';
import type { StackPath } from '../http/stack-path.js';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import { StackRepository, type KnownStack } from '../rows/stack.repository.js';
import { HTTPNotFoundError } from '../rows/stack.errors.js';
import type { JsonObject } from '../json/json.js';
import { eventQuery } from './event.query.js';
import { EventRepository, type ListedEvent } from './event.repository.js';

export interface EventPage {
  readonly stack: KnownStack;
  readonly isNested: boolean;
  readonly events: readonly ListedEvent[];
}

export interface FoundEvent {
  readonly event: ListedEvent;
  readonly properties: JsonObject | null;
}

/** Includes the events of deleted stacks. Public source: Orchestration API reference, "Events". */
@Injectable()
export class EventsService {
  constructor(
    private readonly stacks: StackRepository,
    private readonly events: EventRepository,
    private readonly sealed: SealedJson,
  ) {}

  /** @throws EntityNotFoundError; HTTPNotFoundError for a resource without events */
  async list(
    ctx: RequestContext,
    { name, id }: StackPath,
    asked: Query,
    resource?: string,
  ): Promise<EventPage> {
    const stack = await this.stacks.locate(ctx, name, id, { evenDeleted: true });
    const query = eventQuery(
      resource === undefined ? asked : { ...asked, resource_name: resource },
    );
    const events = await this.events.list(ctx, stack, query);
    if (resource !== undefined && events.length === 0)
      throw new HTTPNotFoundError(`No events found for resource ${resource}`);
    return { stack, isNested: query.nestedDepth > 0, events };
  }

  /** @throws EntityNotFoundError, HTTPNotFoundError */
  async find(
    ctx: RequestContext,
    { name, id }: StackPath,
    eventId: string,
    resource?: string,
  ): Promise<FoundEvent> {
    const stack = await this.stacks.locate(ctx, name, id, { evenDeleted: true });
    const event = isUuid(eventId) ? await this.events.find(ctx, stack, eventId) : undefined;
    if (!event || (resource !== undefined && event.resourceName !== resource))
      throw new HTTPNotFoundError(`No event ${eventId} found`);
    return { event, properties: this.sealed.openIfAny(event.properties, null) };
  }
}
