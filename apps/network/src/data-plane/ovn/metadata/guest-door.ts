/**
 * The guests' way to the cloud's own API: what they send to a port of the metadata address goes to
 * the ingress, byte by byte, and back. They need no route to the host, nor to the world.
 *
 * Always holds: whatever a guest sends, it comes after the line that says which guest it is, where the
 * ingress takes one.
 */
import { createHash } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { proxyLine } from '@cumulet/common/http/proxy-protocol';
import { ConnectionSlots, type Asker, type GuestService } from './network-server.js';

export interface Ingress {
  readonly host: string;
  readonly port: number;
}

/** Where guests find the door, at 169.254.169.254. */
export const GUEST_DOOR_PORT = 8080;
/** A proxy on this machine is believed whom it speaks for, where 127.0.0.1 is: guests are not. */
const LOOPBACK_SOURCE = '127.169.254.169';
const MAX_CONNECTIONS = 64;
const IDLE_MS = 300_000;
const CONNECT_MS = 10_000;

export class GuestDoor implements GuestService {
  readonly port = GUEST_DOOR_PORT;
  readonly #slots = new ConnectionSlots(MAX_CONNECTIONS);

  /**
   * @param ingress undefined where guests are not let in
   * @param isTold whether the ingress takes the PROXY protocol; to another, all guests of this host are one
   */
  constructor(
    private readonly ingress: Ingress | undefined,
    private readonly isTold = false,
  ) {}

  accept(socket: Socket, from: Asker): void {
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
    if (this.isTold) inside.write(proxyLine(addressFor(from)));
    socket.setTimeout(IDLE_MS, end);
    // Each way ends by itself: who has said all may still listen.
    pipeline(socket, inside, (error) => error && end());
    pipeline(inside, socket, (error) => error && end());
  }
}

/**
 * Addresses of guests are their networks' own, and many have the same. So a guest is told by one that
 * nobody has: of those that are local and drawn (RFC 4193), the one that follows from its port.
 */
export function addressFor({ portId }: Pick<Asker, 'portId'>): string {
  const digits = `fd${createHash('sha256').update(portId).digest('hex').slice(0, 30)}`;
  return (digits.match(/.{4}/g) ?? []).join(':');
}

function sourceFor({ host }: Ingress): { readonly localAddress?: string } {
  return /^127(\.\d{1,3}){3}$/.test(host) ? { localAddress: LOOPBACK_SOURCE } : {};
}
