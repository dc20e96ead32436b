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
  /** The orchestration service's address, without /v1. */
  readonly orchestrationUrl: string;
  readonly credentials: Credentials;
}

export interface ResourceFilter {
  /** Of which status: `FAILED`; by default of any. */
  readonly status?: string;
  /** Levels of stacks below whose resources are listed too; none by default. */
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
   * Begins a stack, once for each key: the same key again gets the same stack. Who asks gives the
   * service a trust, so an actor through a trust needs one that may be redelegated.
   * @param idempotencyKey follows from the row that needs the stack, as in `CreateRequest`
   * @throws ServiceRefusedError when the template, the parameters or the quota do not allow it, or a
   *   stack of the project has the name
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
   * Has a stack become this. What is under way of a creation or an update is superseded.
   * @throws ServiceRefusedError when the content does not allow it, 409 while another action is under
   *   way, 404 if there is no such stack
   */
  async update(actor: Actor, stack: StackRef, content: StackContent): Promise<void> {
    const json = contentToWire(content);
    await this.client.send({ actor, method: 'PUT', path: pathOf(stack), json });
  }

  /**
   * A stack as the actor sees it; undefined if it sees none, or it is deleted.
   * @param withOutputs whether its outputs are wanted, which may have to be asked of other services
   */
  async find(actor: Actor, stack: StackRef, withOutputs = false): Promise<Stack | undefined> {
    const query = { resolve_outputs: String(withOutputs) };
    const found = await this.client.find({ actor, path: pathOf(stack), query });
    return found && present(stack.projectId, (found.body as { stack: WireStack }).stack);
  }

  /** The same by its id alone, without outputs. */
  findById(actor: Actor, projectId: string, id: string): Promise<Stack | undefined> {
    return this.#first(actor, projectId, { id });
  }

  /** The same by its name, which no other stack of the project has. */
  findByName(actor: Actor, projectId: string, name: string): Promise<Stack | undefined> {
    return this.#first(actor, projectId, { name });
  }

  /** The resources of a stack; undefined if there is no such stack. */
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

  /** Begins its end, whatever is under way. An absent one is not an error. */
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
