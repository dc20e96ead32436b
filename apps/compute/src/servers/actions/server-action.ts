/**
 * An action is one verb of `POST /servers/{server_id}/action`: its name, the shape of its body, and
 * what it does. One file each; server-actions.ts lists them all.
 */
import type { Type } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { GuestConsole } from '../guest-console.js';
import type { Server } from '../server.entity.js';
import type { ServersService } from '../servers.service.js';

/** What actions work with. */
export interface ActionServices {
  readonly servers: ServersService;
  readonly guestConsole: GuestConsole;
}

export interface ServerAction<Body extends object = object> {
  /** The key of the body: `os-start`. */
  readonly name: string;
  /** The whole body with its one key, so that messages name fields by their full path. */
  readonly body: Type<Body>;
  /** 202 if work continues afterwards, 200 if the answer is in the body. */
  readonly status: 200 | 202;
  run(
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
