/** Which URIs images may be downloaded from, as far as the URI tells. Pure. */
import { isIP } from 'node:net';
import { DownloadRefusedError, HostRefusedError } from './web-download.errors.js';

/** What an operator allows. */
export interface DownloadRules {
  readonly ports: readonly number[];
  /** @param address an IP address that a host resolves to */
  mayConnect(address: string): boolean;
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/**
 * The URL to download from. A host's name is only judged once it is resolved: see
 * `guardedLookup`.
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
