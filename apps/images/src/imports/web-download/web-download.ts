/**
 * Downloads from URIs that users name, without reaching on their behalf what they cannot reach
 * themselves.
 *
 * Always holds: no connection is opened to an address that is not allowed, however the host was
 * named and however often the download was redirected. Public source: Image API reference,
 * "Interoperable image import", web-download.
 */
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import type { OnModuleDestroy } from '@nestjs/common';
import { Agent, type Dispatcher, request } from 'undici';
import { guardedLookup, type Resolve } from '@cumulet/common/addresses/guarded-lookup';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import {
  DownloadFailedError,
  downloadFailure,
  DownloadRefusedError,
  HostRefusedError,
} from './web-download.errors.js';

/** How slow a server may be. */
export interface LeastSpeed {
  /** 0 for no limit. */
  readonly bytesPerSecond: number;
  /** Seconds of waiting for the server over which its speed is averaged. */
  readonly overSeconds: number;
}

export interface DownloadOptions extends DownloadRules {
  readonly connectSeconds: number;
  /** Seconds without an answer, or without a byte of it, after which the download is given up. */
  readonly silenceSeconds: number;
  /** A slower download is given up too. */
  readonly leastSpeed: LeastSpeed;
  /** In place of the system's resolver. */
  readonly resolve?: Resolve;
}

export interface DownloadedBody {
  /** Fails with `DownloadFailedError` if not all of it comes. */
  readonly data: Readable;
  /** Bytes that the server has announced, if any. */
  readonly announcedSize: number | undefined;
}

const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];

/** Asks for the bytes as the server keeps them, since these are what is hashed. */
const HEADERS = { 'accept-encoding': 'identity', 'user-agent': 'Cumulet-Images' };

export class WebDownload implements OnModuleDestroy {
  readonly #agent: Agent;

  constructor(private readonly options: DownloadOptions) {
    const { connectSeconds, silenceSeconds, resolve } = options;
    this.#agent = new Agent({
      connect: {
        lookup: guardedLookup(
          (address) => options.mayConnect(address),
          (host) => new HostRefusedError(host),
          resolve,
        ),
        timeout: connectSeconds * 1000,
      },
      headersTimeout: silenceSeconds * 1000,
      bodyTimeout: silenceSeconds * 1000,
    });
  }

  /** @throws DownloadRefusedError if `open` would throw it */
  check(uri: string): void {
    downloadUrlOf(uri, this.options);
  }

  /**
   * @returns once the data begins to come
   * @throws DownloadRefusedError for a URI that is not allowed, a redirect's included
   * @throws InvalidInputError after too many redirects, DownloadFailedError, or the signal's own
   */
  async open(uri: string, signal: AbortSignal): Promise<DownloadedBody> {
    let url = downloadUrlOf(uri, this.options);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const response = await this.#ask(url, signal);
      const { statusCode, headers, body } = response;
      if (statusCode === 200) {
        const data = Readable.from(this.#explained(body, url, signal), { objectMode: false });
        // Also if nobody has begun to read.
        data.once('close', () => body.on('error', () => undefined).destroy());
        return { data, announcedSize: sizeIn(headers['content-length']) };
      }
      body.on('error', () => undefined).destroy();
      url = this.#target(url, response);
    }
    throw new InvalidInputError(`The download was redirected more than ${MAX_REDIRECTS} times.`);
  }

  async onModuleDestroy(): Promise<void> {
    await this.#agent.destroy();
  }

  async #ask(url: URL, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    try {
      return await request(url, { dispatcher: this.#agent, headers: HEADERS, signal });
    } catch (error) {
      throw this.#failure(error, url, signal);
    }
  }

  /** The same bytes; if they break off, or come too slowly, the error says why. */
  async *#explained(body: Readable, url: URL, signal: AbortSignal): AsyncIterable<Buffer> {
    const { leastSpeed } = this.options;
    const speed = new SpeedWatch(leastSpeed);
    let since = performance.now();
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        if (speed.isTooSlow(performance.now() - since, chunk.length)) {
          const { bytesPerSecond } = leastSpeed;
          const what = `was ended: it brought less than ${bytesPerSecond} bytes per second`;
          throw new DownloadFailedError(url.host, what);
        }
        yield chunk;
        since = performance.now();
      }
    } catch (error) {
      throw this.#failure(error, url, signal);
    }
  }

  #failure(error: unknown, { host }: URL, signal: AbortSignal): unknown {
    return signal.aborted
      ? signal.reason
      : downloadFailure(error, host, this.options.silenceSeconds);
  }

  #target(from: URL, { statusCode, headers }: Dispatcher.ResponseData): URL {
    const location = [headers['location']].flat()[0];
    if (!REDIRECTS.includes(statusCode) || location === undefined) {
      throw new DownloadFailedError(from.host, `failed: the server answered ${statusCode}`);
    }
    return downloadUrlOf(location, this.options, from);
  }
}

function sizeIn(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

/**
 * Measures a server's speed by the time spent waiting for it, without the time that the store
 * takes.
 */
export class SpeedWatch {
  #waitedMs = 0;
  #bytes = 0;

  constructor(private readonly least: LeastSpeed) {}

  /**
   * Call it whenever bytes have come.
   * @param waitedMs how long they were waited for
   * @returns whether the server has been too slow over the whole averaging period
   */
  isTooSlow(waitedMs: number, bytes: number): boolean {
    const { bytesPerSecond, overSeconds } = this.least;
    this.#waitedMs += waitedMs;
    this.#bytes += bytes;
    if (this.#waitedMs < overSeconds * 1000) return false;
    const isTooSlow = this.#bytes * 1000 < bytesPerSecond * this.#waitedMs;
    this.#waitedMs = 0;
    this.#bytes = 0;
    return isTooSlow;
  }
}

/** What an operator allows. */
export interface DownloadRules {
  readonly ports: readonly number[];
  /** @param address an IP address that a host resolves to */
  mayConnect(address: string): boolean;
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/**
 * The URL to download from, if images may be downloaded from there as far as the URI tells. Pure. A
 * host's name is only judged once it is resolved: see `guardedLookup`.
 * @param uri as a client or a redirect gives it
 * @param base the URL that a redirect may be relative to
 * @throws DownloadRefusedError; its message holds only the URI's scheme, host and port, since path
 *   and query may be secret
 */
export function downloadUrlOf(uri: string, rules: DownloadRules, base?: URL): URL {
  if (!URL.canParse(uri, base?.href))
    throw new DownloadRefusedError('It is no address on the web.');
  const url = new URL(uri, base);
  const port = url.port === '' ? DEFAULT_PORTS[url.protocol] : Number(url.port);
  if (port === undefined || !Object.hasOwn(DEFAULT_PORTS, url.protocol)) {
    const scheme = url.protocol.slice(0, -1);
    throw new DownloadRefusedError(`Its scheme must be http or https; '${scheme}' is not.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new DownloadRefusedError('It must hold no user name and no password.');
  }
  if (!rules.ports.includes(port)) {
    throw new DownloadRefusedError(
      `Its port must be one of ${rules.ports.join(', ')}; ${port} is not.`,
    );
  }
  const address = addressIn(url);
  if (address !== undefined && !rules.mayConnect(address)) {
    throw new HostRefusedError(address);
  }
  return url;
}

/** The host if it is an IP address; the parser has normalised it. */
function addressIn({ hostname }: URL): string | undefined {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(address) === 0 ? undefined : address;
}
