/**
 * An action is one verb of `POST /servers/{server_id}/action`: who may ask for it, when, and what it
 * does. Files of related ones declare them; server-actions.ts lists them all.
 */
import type { Type } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { CheckedField } from '@cumulet/common/http/fields';
import { Shown } from '@cumulet/common/http/shown';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';
import type { Server } from '../servers/server.entity.js';
import { serverStates, type ServerEvent, type ServerState } from '../servers/server.states.js';
import { RebuiltServerView } from '../servers/server.answers.js';
import { OfferedConsole } from '../consoles/console.dto.js';
import { conflictOf, requireUnlocked } from '../servers/server-status.js';
import { ServerNeverPlacedError } from '../servers/server.errors.js';

/** A service that the action works with. */
export type Use = <Service>(service: Type<Service>) => Service;

export interface ServerAction<Body extends object = object> {
  /** The key of the body: `os-start`. */
  readonly name: string;
  /** What messages call it; its name by default. */
  readonly verb?: string;
  /** The whole body with its one key, so that messages name fields by their full path. */
  readonly body: Type<Body>;
  /** Who may ask for it besides administrators; members of the server's project by default. */
  readonly role?: 'member' | 'admin';
  /**
   * The events that it may raise: it is allowed in the states that these lead from. Without a `run`
   * of its own, it raises the only one.
   */
  readonly events?: readonly ServerEvent[];
  /** For an action without events: in which states it is allowed; in all by default. */
  readonly states?: readonly ServerState[];
  /** Whether a lock leaves it to the project's members; a lock refuses it by default. */
  readonly evenLocked?: true;
  /** Whether it is allowed for a server in error that no host has. */
  readonly evenUnplaced?: true;
  /** The first and the last minor microversion that have it. */
  readonly since?: number;
  readonly until?: number;
  /** 202 if work continues afterwards, 200 if the answer is in the body; 202 unless Nova's differs. */
  readonly status?: 200 | 202 | 204;
  run?(ctx: RequestContext, server: Server, body: Body, use: Use): Promise<object | undefined>;
}

/** Confines the body's type to the one place that knows it. */
export function defineAction<Body extends object>(action: ServerAction<Body>): ServerAction {
  return action;
}

/** The states in which an action is allowed. */
export function allowedStates({ events, states }: ServerAction): readonly ServerState[] {
  if (events) return [...new Set(events.flatMap((event) => serverStates.events[event].from))];
  return states ?? (Object.keys(serverStates.states) as ServerState[]);
}

/** What messages call an action. */
export function verbOf({ verb, name }: ServerAction): string {
  return verb ?? name;
}

/**
 * A body with one key.
 * @param title its name in the document, without `Body`
 * @param field what its key holds
 */
export function bodyWith<Body extends object>(
  title: string,
  key: string,
  field: PropertyDecorator,
): Type<Body> {
  // eslint-disable-next-line @typescript-eslint/no-extraneous-class -- its property is added below
  class OneKey {}
  field(OneKey.prototype, key);
  Object.defineProperty(OneKey, 'name', { value: `${title}Body` });
  return OneKey as Type<Body>;
}

/** The body of an action that takes nothing: as in Nova, what its key holds is passed over. */
export function bareBody(name: string): Type<object> {
  const words = name.replace(/^os-/, '').split('_');
  const title = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  const anything = { type: 'object', additionalProperties: true } as const;
  return bodyWith(
    title,
    name,
    CheckedField(() => true, '', anything, { nullable: true }),
  );
}

/** What actions answer that have an answer: each its own property. */
export class ActionAnswer {
  @Shown(String, 'What the guest wrote to its serial console, the oldest line first.', {
    optional: true,
  })
  output?: string;

  @Shown(String, "The password of a rescued server's administrator.", { optional: true })
  adminPass?: string;

  @Shown(() => OfferedConsole, 'The console. Until 2.5.', { optional: true })
  console?: OfferedConsole;

  @Shown(String, 'The image that is being made. Since 2.45.', { optional: true })
  image_id?: string;

  @Shown(() => RebuiltServerView, 'The server that is being rebuilt.', { optional: true })
  server?: RebuiltServerView;
}

/** An answer without a body, which only says where something is. */
export class Location {
  constructor(readonly href: string) {}
}

/**
 * Whether an action is for this caller, and this server as it is now, in Nova's order: the role, the lock, the state. The state is looked at again when it changes.
 * @throws ForbiddenError for members, where the action is for administrators
 * @throws ServerLockedError for members, where the server is locked
 * @throws ServerStateConflictError where its state does not allow the action
 * @throws ServerNeverPlacedError for a server in error that no host has: there is nothing to act on
 */
export function admit(ctx: RequestContext, server: Server, action: ServerAction): void {
  if (action.role === 'admin' && !ctx.isAdmin)
    throw new ForbiddenError(`The server action '${action.name}' needs the role admin.`);
  if (!action.evenLocked) requireUnlocked(ctx, server);
  const states = allowedStates(action);
  if (!states.includes(server.state)) throw conflictOf(verbOf(action), server, states);
  if (!action.evenUnplaced) requirePlaced(server, verbOf(action));
}

/** @throws ServerNeverPlacedError for a server in error that no host has */
export function requirePlaced({ id, state, host }: Server, action: string): void {
  if (state === 'error' && host === null) throw new ServerNeverPlacedError(action, id);
}
