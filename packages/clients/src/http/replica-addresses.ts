/**
 * The addresses of a service's replicas, by one name of several addresses (Docker's DNS, a headless
 * service of Kubernetes), and whose turn it is.
 *
 * Always holds: the name is asked again within seconds, so that new replicas get requests and gone
 * ones get none. An address is up while connections to it come about; any other is tried by one
 * request in a few seconds, for a vanished one costs that request the connect timeout.
 */
import { lookup as askResolver } from 'node:dns/promises';
import { isIP, isIPv4 } from 'node:net';

/** @throws an error with a code such as ENOTFOUND or EAI_AGAIN */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

export interface AddressOptions {
  /** The addresses of a name; the system's resolver by default. */
  readonly lookup?: Lookup;
  /** A monotonic clock, in milliseconds. */
  readonly clock?: () => number;
}

/** How long an answer of the resolver is used. */
const FRESH_MS = 2_000;
/** How long an address that is not up gets no second request, unless none is up. */
const REST_MS = 5_000;

export class ReplicaAddresses {
  /** Called after each answer of the resolver, with all addresses of the name. */
  onKnown: (addresses: readonly string[]) => void = () => undefined;
  readonly #lookup: Lookup;
  readonly #clock: () => number;
  readonly #up = new Set<string>();
  /** When each address that is not up, and was tried, may be tried again. */
  readonly #resting = new Map<string, number>();
  #known: readonly string[] = [];
  #askedAt = -Infinity;
  #asking: Promise<void> | undefined;
  // Clients that send few requests would otherwise send them all to the first address.
  #turn = Math.floor(Math.random() * 1_000);

  /** @param hostname a name, or an IP address without brackets */
  constructor(
    private readonly hostname: string,
    { lookup = addressesOf, clock = () => performance.now() }: AddressOptions = {},
  ) {
    this.#lookup = isIP(hostname) === 0 ? lookup : () => Promise.resolve([hostname]);
    this.#clock = clock;
  }

  /** @throws the resolver's error */
  async next(): Promise<string> {
    if (this.#clock() - this.#askedAt > FRESH_MS) await (this.#asking ??= this.#ask());
    const now = this.#clock();
    const rested = this.#known.filter((one) => (this.#resting.get(one) ?? now) <= now);
    const usable = sameFamily(rested.length > 0 ? rested : this.#known);
    this.#turn += 1;
    const address = usable[this.#turn % usable.length] ?? this.hostname;
    if (!this.#up.has(address)) this.failed(address);
    return address;
  }

  /** A connection came about, or the address answered. */
  connected(address: string): void {
    this.#up.add(address);
    this.#resting.delete(address);
  }

  /** A connection ended, as all do when a replica is killed. */
  disconnected(address: string): void {
    this.#up.delete(address);
  }

  /** No connection came about, or the replica is being stopped. */
  failed(address: string): void {
    this.#up.delete(address);
    this.#resting.set(address, this.#clock() + REST_MS);
  }

  async #ask(): Promise<void> {
    try {
      this.#known = await this.#lookup(this.hostname);
      this.#askedAt = this.#clock();
      const gone = [...this.#resting.keys()].filter((one) => !this.#known.includes(one));
      for (const address of gone) this.#resting.delete(address);
      this.onKnown(this.#known);
    } finally {
      this.#asking = undefined;
    }
  }
}

/**
 * IPv4 addresses, if there are any: two families are mostly two ways to the same replicas
 * (`localhost`), of which services serve IPv4.
 */
function sameFamily(addresses: readonly string[]): readonly string[] {
  const four = addresses.filter(isIPv4);
  return four.length > 0 ? four : addresses;
}

async function addressesOf(hostname: string): Promise<readonly string[]> {
  const found = await askResolver(hostname, { all: true });
  return [...new Set(found.map(({ address }) => address))];
}
