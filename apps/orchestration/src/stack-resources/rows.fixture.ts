/** Rows of resources and events, as the engine writes them. */
import { randomUUID } from 'node:crypto';
import { asId } from '@cumulet/common/context/ids';
import { Table } from '@cumulet/common/tables/table';
import { StackEvent } from '../rows/stack-event.entity.js';
import type { RecordedFixture } from '../orchestration.fixture.js';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import { resourceRows, stackRows } from '../stacks/recorded-commands.fixture.js';
import { EntityNotFoundError } from '../rows/stack.errors.js';
import type { Stack } from '../rows/stack.entity.js';
import type { Json } from '../json/json.js';
import type { StackResource } from '../rows/stack-resource.entity.js';

const eventRows = new Table(StackEvent, { missing: () => new EntityNotFoundError('Event', '') });

export interface MadeStack {
  readonly id: string;
  /** Relative to the service's address. */
  readonly path: string;
}

export async function makeStack(fixture: RecordedFixture, name: string): Promise<MadeStack> {
  const { client, token, projectId } = fixture;
  const body = { stack_name: name, template: { heat_template_version: '2021-04-16' } };
  const answer = await client.post('/stacks', { token, body });
  const { id } = (answer.body as { stack: { id: string } }).stack;
  return { id, path: `/v1/${projectId}/stacks/${name}/${id}` };
}

/** A nested stack. */
export async function makeNested(
  { ctx, projectId }: RecordedFixture,
  owner: { readonly id: string },
  resource: StackResource,
  name: string,
): Promise<Stack> {
  const above = await stackRows.get(ctx, owner.id);
  return stackRows.insert(ctx, {
    id: asId<Stack['id']>(randomUUID()),
    projectId: asId(projectId),
    userId: above.userId,
    userName: above.userName,
    name,
    action: 'CREATE',
    state: 'complete',
    templateId: above.templateId,
    rootId: above.rootId,
    ownerId: above.id,
    nestedDepth: above.nestedDepth + 1,
    ownerResourceId: resource.id,
    ownerResourceName: resource.name,
  });
}

export async function makeResource(
  { ctx, app }: RecordedFixture,
  stack: { readonly id: string },
  name: string,
  {
    metadata,
    ...fields
  }: Partial<Omit<StackResource, 'metadata'>> & { readonly metadata?: Json } = {},
): Promise<StackResource> {
  const sealed = app.nest.get(SealedJson);
  return resourceRows.insert(ctx, {
    id: asId<StackResource['id']>(randomUUID()),
    stackId: asId<Stack['id']>(stack.id),
    name,
    type: 'OS::Heat::TestResource',
    action: 'CREATE',
    status: 'COMPLETE',
    state: 'settled',
    reason: 'state changed',
    traversal: 1,
    definition: sealed.seal({}),
    ...(metadata === undefined ? {} : { metadata: sealed.seal(metadata) }),
    ...fields,
  });
}

export async function makeEvent(
  { ctx, app, projectId }: RecordedFixture,
  stack: { readonly id: string; readonly rootId?: string },
  resourceName: string,
  fields: Partial<StackEvent> = {},
): Promise<StackEvent> {
  const sealed = app.nest.get(SealedJson);
  return eventRows.insert(ctx, {
    id: asId<StackEvent['id']>(randomUUID()),
    stackId: asId<Stack['id']>(stack.id),
    rootId: asId<Stack['id']>(stack.rootId ?? stack.id),
    projectId: asId(projectId),
    resourceName,
    resourceType: 'OS::Heat::TestResource',
    physicalId: null,
    action: 'CREATE',
    status: 'COMPLETE',
    reason: 'state changed',
    properties: sealed.seal({ value: 'x' }),
    ...fields,
  });
}
