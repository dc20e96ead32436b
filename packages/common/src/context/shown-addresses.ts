/**
 * The addresses that answers name: those by which whoever asked can reach the cloud.
 *
 * Guests need no route to the cloud's public address. They come by a door at a link-local one, which
 * leads to the same ingress, and what they are shown is below that door. Who comes by it says so by
 * the Host that it asks for; who lies about that is shown addresses that do not suit it.
 */
import type { FastifyRequest } from 'fastify';

export interface AddressSettings {
  /** The service's own, below that of the cloud; by default what a client asks for. */
  readonly publicUrl?: string | undefined;
  /** The cloud's, as guests see it. */
  readonly guestDoorUrl: string;
}

/** Where the cloud is for everybody, and where for a guest. */
export interface GuestView {
  readonly publicUrl: string;
  readonly doorUrl: string;
}

type Asked = Pick<FastifyRequest, 'protocol' | 'host'>;

export class ShownAddresses {
  readonly #publicUrl: string | undefined;
  readonly #guestView: GuestView | undefined;
  readonly #guestHost: string;
  readonly #guestBaseUrl: string;

  /** @param path the service's below the cloud's one address: `/compute`; empty where it has its own */
  constructor({ publicUrl, guestDoorUrl: doorUrl }: AddressSettings, path: string) {
    this.#publicUrl = publicUrl;
    this.#guestHost = new URL(doorUrl).host;
    this.#guestBaseUrl = doorUrl + path;
    // No guest comes by an ingress to a service that is not behind one.
    if (path !== '' && publicUrl?.endsWith(path))
      this.#guestView = { publicUrl: publicUrl.slice(0, -path.length), doorUrl };
  }

  /** The service's, without a trailing slash. */
  baseUrl(request: Asked): string {
    if (this.guestView(request)) return this.#guestBaseUrl;
    return this.#publicUrl ?? `${request.protocol}://${request.host}`;
  }

  /** Undefined for a client that sees the cloud where everybody does. */
  guestView({ host }: Asked): GuestView | undefined {
    return host === this.#guestHost ? this.#guestView : undefined;
  }
}

/** An address as it is seen: another one if it is below the cloud's own. */
export function addressIn(view: GuestView | undefined, url: string): string {
  if (!view) return url;
  const { publicUrl, doorUrl } = view;
  const isBelow = url === publicUrl || url.startsWith(`${publicUrl}/`);
  return isBelow ? doorUrl + url.slice(publicUrl.length) : url;
}
