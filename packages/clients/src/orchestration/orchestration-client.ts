/**
 * The orchestration service, as its sisters use it. Public source: Orchestration API reference, v1.
 *
 * Always holds: the project of a stack is that of the actor, whose token the service checks.
 */
import type { Actor } from '../http/actor.js';
import type { Credentials } from '../http/credentials.js';
import { SisterClient } from '../http/service-client.js';
import {
  contentToWire,
  resourceFromWire,
  stackFromWire,
  type NewStack,
  type Stack,
  type StackContent,
  type StackRef,
  type StackResource,
  type WireResource,
  type WireStack,
} from './stack-wire.js';

export interface OrchestrationClientOptions {
  /** Without /v1. */
  readonly orchestrationUrl: string;
  readonly credentials: Credentials;
}

export interface ResourceFilter {
  /** `FAILED`; by default, any. */
  readonly status?: string;
  /** Levels of nested stacks whose resources are listed too; none by default. */
  readonly nestedDepth?: number;
}

/** The service reads a template, and asks other services, before it answers. */
const RESPONSE_MS = 60_000;

export class OrchestrationClient extends SisterClient {
  constructor({ orchestrationUrl: baseUrl, credentials }: OrchestrationClientOptions) {
    super({
      service: 'orchestration',
      baseUrl,
      credentials,
      responseTimeout: RESPONSE_MS,
    });
  }

  /**
   * Starts the creation of a stack. The actor gives the service a trust, and so needs one that may be
   * redelegated if it acts through a trust itself.
   * @param idempotencyKey as in `CreateRequest`: the same key gets the same stack
   * @throws ServiceRefusedError if the template, the parameters or the quota do not allow it, or a stack
   *   of the project has the name
   */
  async create(
    actor: Actor,
    projectId: string,
    stack: NewStack,
    idempotencyKey: string,
  ): Promise<StackRef> {
    const json = { stack_name: stack.name, ...contentToWire(stack) };
    const path = stacksPath(projectId);
    const { body } = await this.client.create({ actor, path, json, idempotencyKey });
    const { id } = (body as { stack: { id: string } }).stack;
    return { projectId, name: stack.name, id };
  }

  /**
   * Supersedes a creation or an update that is under way.
   * @throws ServiceRefusedError if the content is not valid, 409 during another action, 404 without a
   *   stack
   */
  async update(actor: Actor, stack: StackRef, content: StackContent): Promise<void> {
    const json = contentToWire(content);
    await this.client.send({ actor, method: 'PUT', path: pathOf(stack), json });
  }

  /**
   * Undefined if the actor does not see the stack, or it is deleted.
   * @param withOutputs outputs may require requests to other services
   */
  async find(actor: Actor, stack: StackRef, withOutputs = false): Promise<Stack | undefined> {
    const query = { resolve_outputs: String(withOutputs) };
    const found = await this.client.find({ actor, path: pathOf(stack), query });
    return found && present(stack.projectId, (found.body as { stack: WireStack }).stack);
  }

  /** Without outputs. */
  findById(actor: Actor, projectId: string, id: string): Promise<Stack | undefined> {
    return this.#first(actor, projectId, { id });
  }

  /** By its name, which is unique in the project. */
  findByName(actor: Actor, projectId: string, name: string): Promise<Stack | undefined> {
    return this.#first(actor, projectId, { name });
  }

  /** Undefined if there is no such stack. */
  async resources(
    actor: Actor,
    stack: StackRef,
    { status, nestedDepth }: ResourceFilter = {},
  ): Promise<readonly StackResource[] | undefined> {
    const query = { status, nested_depth: nestedDepth };
    const found = await this.client.find({ actor, path: `${pathOf(stack)}/resources`, query });
    const { resources } = (found?.body ?? {}) as { resources?: readonly WireResource[] };
    return resources?.map(resourceFromWire);
  }

  /** Starts the deletion, whatever is under way. An absent one is not an error. */
  async delete(actor: Actor, stack: StackRef): Promise<void> {
    await this.client.find({ actor, method: 'DELETE', path: pathOf(stack) });
  }

  async #first(
    actor: Actor,
    projectId: string,
    filter: Readonly<Record<string, string>>,
  ): Promise<Stack | undefined> {
    // Includes stacks that tags hide from lists.
    const query = { ...filter, show_hidden: 'true', limit: 1 };
    const { body } = await this.client.send({ actor, path: stacksPath(projectId), query });
    const [stack] = (body as { stacks: readonly WireStack[] }).stacks;
    return stack && present(projectId, stack);
  }
}

/** A deleted stack can be read for a while. */
function present(projectId: string, wire: WireStack): Stack | undefined {
  const stack = stackFromWire(projectId, wire);
  return stack.action === 'DELETE' && stack.status === 'COMPLETE' ? undefined : stack;
}

function stacksPath(projectId: string): string {
  return `/v1/${encodeURIComponent(projectId)}/stacks`;
}

function pathOf({ projectId, name, id }: StackRef): string {
  return `${stacksPath(projectId)}/${encodeURIComponent(name)}/${encodeURIComponent(id)}`;
}
