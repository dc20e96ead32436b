import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Server } from '../servers/server.entity.js';
import { ServerStateConflictError } from '../servers/server.errors.js';
import { statusOf } from '../servers/server-status.js';
import type { CreateConsoleDto } from './console.dto.js';
import type { ConsoleType } from './console-token.repository.js';
import { ConsoleTokens } from './console-token.repository.js';
import {
  InstanceNotReadyError,
  ConsoleTypeInvalidError,
  ConsoleTypeUnavailableError,
} from './console.errors.js';

/** Of the guests' machines: running and paused (Nova API guide, "Server concepts"). */
const POWERED: readonly number[] = [1, 3];

/** What messages call it, as Nova does. */
const VERBS: Readonly<Record<ConsoleType, string>> = {
  novnc: 'get_vnc_console',
  serial: 'get_serial_console',
};

/** Lets a client open a server's console in a browser. */
@Injectable()
export class RemoteConsoles {
  constructor(private readonly tokens: ConsoleTokens) {}

  /**
   * In Nova's order: the host, the type, the machine.
   * @returns the URL with its token
   * @throws InstanceNotReadyError where no host has the server; ConsoleTypeUnavailableError or
   *   ConsoleTypeInvalidError for what guests do not have here; ServerStateConflictError where it has
   *   no machine
   */
  async offer(ctx: RequestContext, server: Server, asked: CreateConsoleDto): Promise<string> {
    if (server.host === null) throw new InstanceNotReadyError(server.id);
    const type = typeOf(asked);
    const { vmState, powerState } = statusOf(server);
    if (!POWERED.includes(powerState) && vmState !== 'error')
      throw new ServerStateConflictError(VERBS[type], server.id, 'vm_state', vmState);
    return consoleUrl(ctx.baseUrl, type, await this.tokens.issue(ctx, server.id, type));
  }
}

/**
 * The type of each protocol that guests have here. Public source: nova, `compute/manager.py`,
 * get_vnc_console.
 */
const OFFERED: Partial<Record<CreateConsoleDto['protocol'], ConsoleType>> = {
  vnc: 'novnc',
  serial: 'serial',
};

/**
 * A protocol that no guest has is told before a type that is not the protocol's. That of RDP, which Nova
 * has no more, is named in place of the type.
 * @throws ConsoleTypeUnavailableError, ConsoleTypeInvalidError
 */
export function typeOf({ protocol, type }: CreateConsoleDto): ConsoleType {
  const offered = OFFERED[protocol];
  if (offered === undefined)
    throw new ConsoleTypeUnavailableError(protocol === 'rdp' ? protocol : type);
  if (type !== offered) throw new ConsoleTypeInvalidError(type);
  return offered;
}

/**
 * Where consoles are. A WebSocket to the path of its type opens a console; the same paths, or a page
 * beside them, are what a browser shows. Pure.
 */
export const CONSOLES_PATH = '/consoles';

/**
 * As Nova's: noVNC is a page that is told the WebSocket's `path`, and a serial console the
 * WebSocket itself, whose address is a page, too, with `http` for `ws`.
 *
 * @param baseUrl the service's public address
 */
export function consoleUrl(baseUrl: string, type: ConsoleType, token: string): string {
  const base = new URL(baseUrl);
  const root = base.pathname.replace(/\/$/, '') + CONSOLES_PATH;
  const stream = `${root}/${type}?token=${token}`;
  if (type === 'serial') {
    const url = new URL(stream, base);
    url.protocol = base.protocol.replace('http', 'ws');
    return url.href;
  }
  return `${base.origin}${root}/vnc.html?path=${encodeURIComponent(stream)}`;
}
