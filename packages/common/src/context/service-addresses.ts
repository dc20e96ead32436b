/**
 * The addresses that answers name: those by which whoever asked can reach the cloud.
 *
 * Guests need no route to the cloud's public address. They come by a door at a link-local one, which
 * leads to the same ingress, and what they are shown is below that door. Who comes by it says so by
 * the Host that it asks for; who lies about that is shown addresses that do not suit it.
 */
import type { FastifyRequest } from 'fastify';

export interface AddressSettings {
  /** The service's public address, below the cloud's; by default the requested one. */
  readonly publicUrl?: string | undefined;
  /** The cloud's address as guests see it. */
  readonly guestDoorUrl: string;
}

/** The cloud's address for clients, and for guests. */
export interface GuestView {
  readonly publicUrl: string;
  readonly doorUrl: string;
}

type Asked = Pick<FastifyRequest, 'protocol' | 'host'>;

export class ServiceAddresses {
  readonly #publicUrl: string | undefined;
  readonly #guestView: GuestView | undefined;
  readonly #guestHost: string;
  readonly #guestBaseUrl: string;

  /** @param path the service's below the cloud's one address: `/compute`; empty where it has its own */
  constructor({ publicUrl, guestDoorUrl: doorUrl }: AddressSettings, path: string) {
    this.#publicUrl = publicUrl;
    this.#guestHost = new URL(doorUrl).host;
    this.#guestBaseUrl = doorUrl + path;
    // Only a service behind an ingress is reached through it.
    if (path !== '' && publicUrl?.endsWith(path))
      this.#guestView = { publicUrl: publicUrl.slice(0, -path.length), doorUrl };
  }

  baseUrl(request: Asked): string {
    if (this.guestView(request)) return this.#guestBaseUrl;
    return this.#publicUrl ?? `${request.protocol}://${request.host}`;
  }

  /** Undefined for others than guests. */
  guestView({ host }: Asked): GuestView | undefined {
    return host === this.#guestHost ? this.#guestView : undefined;
  }
}

/** Replaces the cloud's public address by that for guests. */
export function addressIn(view: GuestView | undefined, url: string): string {
  if (!view) return url;
  const { publicUrl, doorUrl } = view;
  const isBelow = url === publicUrl || url.startsWith(`${publicUrl}/`);
  return isBelow ? doorUrl + url.slice(publicUrl.length) : url;
}
