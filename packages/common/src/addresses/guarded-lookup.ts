/**
 * Resolves a host to those of its addresses that may be connected to. The connection itself calls
 * this, so the checked address is the one that is used: a name that resolves differently a moment
 * later gains nothing.
 */
import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** As `dns.lookup` with `all: true`. */
export type Resolve = (
  host: string,
  options: { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Concurrent lookups. Each blocks one of the four threads that also do file I/O, for as long as a
 * name server takes, which a user may have chosen.
 */
const MAX_LOOKUPS = 2;

/** @param refused the error for a host that has no address that may be connected to */
export function guardedLookup(
  mayConnect: (address: string) => boolean,
  refused: (host: string) => Error,
  resolve: Resolve = systemLookup,
): LookupFunction {
  const resolveInTurn = inTurn(resolve);
  return (host, options, callback) => {
    resolveInTurn(host, { all: true }, (error, addresses) => {
      // The client cannot tell an unknown name from one that is not public.
      const allowed = error ? [] : addresses.filter(({ address }) => mayConnect(address));
      const [first] = allowed;
      if (!first) callback(refused(host), '');
      else if (options.all === true) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}

function inTurn(resolve: Resolve): Resolve {
  const waiting: (() => void)[] = [];
  let running = 0;
  return (host, options, callback) => {
    const begin = (): void => {
      running += 1;
      resolve(host, options, (error, addresses) => {
        running -= 1;
        waiting.shift()?.();
        callback(error, addresses);
      });
    };
    if (running < MAX_LOOKUPS) begin();
    else waiting.push(begin);
  };
}
