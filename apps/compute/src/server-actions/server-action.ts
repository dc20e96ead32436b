/**
 * An action is one verb of `POST /servers/{server_id}/action`: who may ask for it, when, and what it
 * does. One file each; server-actions.ts lists them all.
 */
import type { Type } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { CheckedField } from '@cumulet/common/http/fields';
import type { Server } from '../servers/server.entity.js';
import { serverStates, type ServerEvent, type ServerState } from '../servers/server.states.js';
import type { ActionServices } from './action-services.js';

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
  run?(
    ctx: RequestContext,
    server: Server,
    body: Body,
    services: ActionServices,
  ): Promise<object | undefined>;
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
