/**
 * Downloads from URIs that users name, without reaching networks that they cannot reach themselves.
 *
 * Always holds: no connection is opened to a forbidden address, however the host is named and
 * however often it redirects. Public source: Image API reference, "Interoperable image import",
 * web-download.
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

export interface LeastSpeed {
  /** 0 for no limit. */
  readonly bytesPerSecond: number;
  /** Seconds of waiting over which the speed is averaged. */
  readonly overSeconds: number;
}

export interface DownloadOptions extends DownloadRules {
  readonly connectSeconds: number;
  /** Timeout for the answer and between its bytes. */
  readonly silenceSeconds: number;
  readonly leastSpeed: LeastSpeed;
  /** Replaces the system's resolver. */
  readonly resolve?: Resolve;
}

export interface DownloadedBody {
  /** Fails with `DownloadFailedError` if not all of it comes. */
  readonly data: Readable;
  /** Bytes, if the server has announced them. */
  readonly announcedSize: number | undefined;
}

const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];

/** Disables compression, since the stored bytes are hashed. */
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
   * Resolves once data begins to arrive.
   * @throws DownloadRefusedError for a forbidden URI, including that of a redirect
   * @throws InvalidInputError after too many redirects, DownloadFailedError, or the signal's reason
   */
  async open(uri: string, signal: AbortSignal): Promise<DownloadedBody> {
    let url = downloadUrlOf(uri, this.options);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const response = await this.#ask(url, signal);
      const { statusCode, headers, body } = response;
      if (statusCode === 200) {
        const data = Readable.from(this.#explained(body, url, signal), { objectMode: false });
        // Even if reading never began.
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

  /** Passes the bytes on; errors explain why they broke off or are too slow. */
  async *#explained(body: Readable, url: URL, signal: AbortSignal): AsyncIterable<Buffer> {
    const { leastSpeed } = this.options;
    const speed = new SpeedWatch(leastSpeed);
    let since = performance.now();
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        if (speed.isTooSlow(performance.now() - since, chunk.length)) {
          const { bytesPerSecond } = leastSpeed;
          const what = `was aborted: it was slower than ${bytesPerSecond} bytes per second`;
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

/** Measures a server's speed without the time that the store takes. */
export class SpeedWatch {
  #waitedMs = 0;
  #bytes = 0;

  constructor(private readonly least: LeastSpeed) {}

  /**
   * Call this for each chunk.
   * @param waitedMs time spent waiting for the chunk
   * @returns whether the server was too slow over the averaging period
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

export interface DownloadRules {
  readonly ports: readonly number[];
  /** @param address an IP address that a host resolves to */
  mayConnect(address: string): boolean;
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/**
 * Parses and checks a URI. Pure: host names are checked once resolved, by `guardedLookup`.
 * @param uri from a client or a redirect
 * @param base the URL that a redirect is relative to
 * @throws DownloadRefusedError with only scheme, host and port in its message: path and query may
 * be secret
 */
export function downloadUrlOf(uri: string, rules: DownloadRules, base?: URL): URL {
  if (!URL.canParse(uri, base?.href))
    throw new DownloadRefusedError('It is not a valid web address.');
  const url = new URL(uri, base);
  const port = url.port === '' ? DEFAULT_PORTS[url.protocol] : Number(url.port);
  if (port === undefined || !Object.hasOwn(DEFAULT_PORTS, url.protocol)) {
    const scheme = url.protocol.slice(0, -1);
    throw new DownloadRefusedError(`Its scheme must be http or https; '${scheme}' is not.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new DownloadRefusedError('It must contain neither a user name nor a password.');
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

function addressIn({ hostname }: URL): string | undefined {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(address) === 0 ? undefined : address;
}
