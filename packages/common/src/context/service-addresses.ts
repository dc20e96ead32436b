/**
 * URLs for links in answers: those at which the caller can reach the cloud.
 *
 * Guests need no route to the cloud's public address. They use the guest ingress at a link-local
 * address, and get links below it. The Host header identifies them; a client that forges it gets
 * links that it cannot use.
 */
import type { FastifyRequest } from 'fastify';

export interface AddressSettings {
  /** The service's public URL, below the cloud's; by default the requested one. */
  readonly publicUrl?: string | undefined;
  /** The cloud's URL for guests. */
  readonly guestDoorUrl: string;
}

/** The cloud's URLs for clients and for guests. */
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

  /** @param path of the service below the cloud's URL: `/compute`; empty for its own URL */
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

  guestView({ host }: Asked): GuestView | undefined {
    return host === this.#guestHost ? this.#guestView : undefined;
  }
}

/** Replaces the cloud's public URL by that for guests. */
export function addressIn(view: GuestView | undefined, url: string): string {
  if (!view) return url;
  const { publicUrl, doorUrl } = view;
  const isBelow = url === publicUrl || url.startsWith(`${publicUrl}/`);
  return isBelow ? doorUrl + url.slice(publicUrl.length) : url;
}
