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

/** Power states of running and paused guests (Nova API guide, "Server concepts"). */
const POWERED: readonly number[] = [1, 3];

/** As Nova's error messages name them. */
const VERBS: Readonly<Record<ConsoleType, string>> = {
  novnc: 'get_vnc_console',
  serial: 'get_serial_console',
};

@Injectable()
export class RemoteConsoles {
  constructor(private readonly tokens: ConsoleTokens) {}

  /**
   * Checks in Nova's order: the host, the type, the machine.
   * @returns the URL with its token
   * @throws InstanceNotReadyError without a host; ConsoleTypeUnavailableError or
   *   ConsoleTypeInvalidError for unsupported types; ServerStateConflictError without a machine
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

/** By protocol. Public source: nova, `compute/manager.py`, get_vnc_console. */
const OFFERED: Partial<Record<CreateConsoleDto['protocol'], ConsoleType>> = {
  vnc: 'novnc',
  serial: 'serial',
};

/**
 * An unsupported protocol is refused before a type of another protocol. For RDP, which Nova has
 * removed, the error names the protocol.
 * @throws ConsoleTypeUnavailableError, ConsoleTypeInvalidError
 */
export function typeOf({ protocol, type }: CreateConsoleDto): ConsoleType {
  const offered = OFFERED[protocol];
  if (offered === undefined)
    throw new ConsoleTypeUnavailableError(protocol === 'rdp' ? protocol : type);
  if (type !== offered) throw new ConsoleTypeInvalidError(type);
  return offered;
}

/** Addresses of consoles: a WebSocket for each type, and the page that opens it. Pure. */
export const CONSOLES_PATH = '/consoles';

/**
 * As Nova's: a noVNC page is given the WebSocket's `path`; a serial console's address is that of
 * the WebSocket, and of its page with `http` for `ws`.
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
