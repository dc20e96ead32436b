/** One verb of `POST /servers/{server_id}/action`. `server-actions.ts` lists all actions. */
import type { Type } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { CheckedField, ObjectField } from '@cumulet/common/http/fields';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';
import type { Server } from '../servers/server.entity.js';
import { serverStates, type ServerEvent, type ServerState } from '../servers/server.states.js';
import { RebuiltServerView } from '../servers/server.answers.js';
import { OfferedConsole } from '../consoles/console.dto.js';
import { conflictOf, requireUnlocked } from '../servers/server-status.js';
import { ServerNeverPlacedError } from '../servers/server.errors.js';

/** Gets a service for the action. */
export type Use = <Service>(service: Type<Service>) => Service;

export interface ServerAction<Dto extends object = object> {
  /** The key of the body: `os-start`. */
  readonly name: string;
  /** Name in messages; `name` by default. */
  readonly verb?: string;
  /** Class of the object under the key; by default anything is accepted and ignored, as in Nova. */
  readonly takes?: Type<Dto>;
  /** Whether null stands for an empty object. */
  readonly nullable?: true;
  /** The required role besides administrators; members of the server's project by default. */
  readonly role?: 'member' | 'admin';
  /** Allowed in the states that these events leave. Without `run`, the only one is raised. */
  readonly events?: readonly ServerEvent[];
  /** States that allow an action without events; all by default. */
  readonly states?: readonly ServerState[];
  /** Whether a locked server allows it. */
  readonly evenLocked?: true;
  /** Whether a server in error without a host allows it. */
  readonly evenUnplaced?: true;
  /** The first and the last minor microversion that have it. */
  readonly since?: number;
  readonly until?: number;
  /** 202 if work continues afterwards, 200 if the answer is in the body; 202 by default. */
  readonly status?: 200 | 202 | 204;
  run?(
    ctx: RequestContext,
    server: Server,
    dto: Dto,
    use: Use,
  ): Promise<object | undefined> | Promise<void>;
}

export interface DefinedAction extends ServerAction {
  /** Class of the whole body, so that messages name fields by their full path. */
  readonly body: Type<Readonly<Record<string, object | null>>>;
}

export function defineAction<Dto extends object>(action: ServerAction<Dto>): DefinedAction {
  return { ...action, body: bodyOf(action) };
}

const ANYTHING = { type: 'object', additionalProperties: true } as const;

function bodyOf({ name, takes, nullable }: ServerAction): DefinedAction['body'] {
  class Body {
    [key: string]: object | null;
  }
  Object.defineProperty(Body, 'name', { value: `${titleOf(name)}Body` });
  const field = takes
    ? ObjectField(() => takes, { nullable: nullable === true })
    : CheckedField(() => true, '', ANYTHING, { nullable: true });
  field(Body.prototype, name);
  return Body;
}

/** `os-getVNCConsole` becomes `GetVNCConsole`: component names are in Pascal case. */
export function titleOf(name: string): string {
  const words = name.replace(/^os-/, '').split('_');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

export function allowedStates({ events, states }: ServerAction): readonly ServerState[] {
  if (events) return [...new Set(events.flatMap((event) => serverStates.events[event].from))];
  return states ?? (Object.keys(serverStates.states) as ServerState[]);
}

export function verbOf({ verb, name }: ServerAction): string {
  return verb ?? name;
}

/** The answer of any action, each with its own property. */
export const ActionAnswer = answerClass('ActionAnswer', {
  output: Shown(String, 'The output of the serial console, oldest line first.', {
    optional: true,
  }),
  adminPass: Shown(String, "The administrator's password of a rescued server.", {
    optional: true,
  }),
  console: Shown(() => OfferedConsole, 'The console. Until 2.5.', { optional: true }),
  image_id: Shown(String, 'The ID of the image that is being created. Since 2.45.', {
    optional: true,
  }),
  server: Shown(() => RebuiltServerView, 'The server that is being rebuilt.', { optional: true }),
});

/** An answer without a body, but with the header Location. */
export class Location {
  constructor(readonly href: string) {}
}

/**
 * Checks role, lock and state, in Nova's order. The state is checked again when it changes.
 * @throws ForbiddenError for members, if the action is for administrators
 * @throws ServerLockedError for members, if the server is locked
 * @throws ServerStateConflictError if its state does not allow the action
 * @throws ServerNeverPlacedError for a server in error without a host
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
