/**
 * Gives guests access to the cloud's API: connections to a port of the metadata address are
 * forwarded to the ingress. Guests need no route to the host or to other networks.
 *
 * Always holds: if the ingress accepts the PROXY protocol, its header, which identifies the guest,
 * comes before anything that the guest sends.
 */
import { createHash } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { proxyLine } from '@cumulet/common/http/proxy-protocol';
import { ConnectionSlots, type Requester, type GuestService } from './network-server.js';

export interface Ingress {
  readonly host: string;
  readonly port: number;
}

/** The port of 169.254.169.254 at which guests reach the API. */
export const GUEST_API_PORT = 8080;
/** The ingress trusts proxies at 127.0.0.1, so guests come from another loopback address. */
const LOOPBACK_SOURCE = '127.169.254.169';
const MAX_CONNECTIONS = 64;
const IDLE_MS = 300_000;
const CONNECT_MS = 10_000;

export class GuestApiProxy implements GuestService {
  readonly port = GUEST_API_PORT;
  readonly #slots = new ConnectionSlots(MAX_CONNECTIONS);

  /**
   * @param ingress undefined if guests have no access
   * @param usesProxyProtocol whether the ingress accepts the PROXY protocol; without it, all guests of this
   * host look the same
   */
  constructor(
    private readonly ingress: Ingress | undefined,
    private readonly usesProxyProtocol = false,
  ) {}

  accept(socket: Socket, from: Requester): void {
    const { ingress } = this;
    if (!ingress) {
      socket.destroy();
      return;
    }
    if (!this.#slots.take(from.portId, socket)) return;
    const inside = connect({ ...ingress, ...sourceFor(ingress), allowHalfOpen: true });
    const end = (): void => {
      socket.destroy();
      inside.destroy();
    };
    inside.setTimeout(CONNECT_MS, end);
    inside.once('connect', () => inside.setTimeout(IDLE_MS));
    if (this.usesProxyProtocol) inside.write(proxyLine(addressFor(from)));
    socket.setTimeout(IDLE_MS, end);
    // Each direction ends by itself: a client that has sent everything may still receive.
    pipeline(socket, inside, (error) => error && end());
    pipeline(inside, socket, (error) => error && end());
  }
}

/**
 * Guests' addresses are unique only within their networks. So the header identifies a guest by a
 * unique local address (RFC 4193) that is derived from its port.
 */
export function addressFor({ portId }: Pick<Requester, 'portId'>): string {
  const digits = `fd${createHash('sha256').update(portId).digest('hex').slice(0, 30)}`;
  return (digits.match(/.{4}/g) ?? []).join(':');
}

function sourceFor({ host }: Ingress): { readonly localAddress?: string } {
  return /^127(\.\d{1,3}){3}$/.test(host) ? { localAddress: LOOPBACK_SOURCE } : {};
}
