/**
 * What hosts find out about the members of balancers, from the southbound database. Public source:
 * ovn-sb(5), "Service_Monitor".
 */
import type { BalancerSpec, CheckResult } from '../balancer-spec.js';
import { OvsdbClient } from '../ovsdb/ovsdb-client.js';
import type { Row } from '../ovsdb/ovsdb-schema.js';
import type { BalancerPlace } from './rows/balancer-place.js';

const TABLES = { Service_Monitor: ['ip', 'protocol', 'port', 'logical_port', 'status'] } as const;

export class ServiceMonitors {
  readonly #southbound: OvsdbClient;

  /** @param address of the southbound database */
  constructor(address: string) {
    this.#southbound = new OvsdbClient({
      address,
      database: 'OVN_Southbound',
      tables: TABLES,
    });
    this.#southbound.start();
  }

  ready(signal?: AbortSignal): Promise<void> {
    return this.#southbound.ready(signal);
  }

  close(): void {
    this.#southbound.stop();
  }

  /** Returns once it knows what is there now. @throws OvsdbUnavailableError */
  catchUp(): Promise<void> {
    return this.#southbound.catchUp();
  }

  /** By member. */
  resultsFor({ listeners }: BalancerSpec, place: BalancerPlace): Map<string, CheckResult> {
    const known = new Map(
      [...this.#southbound.rows.of('Service_Monitor').values()].map((row) => [
        keyOf(row),
        row['status'],
      ]),
    );
    const results = listeners.flatMap(({ check, protocol, members }) =>
      (check ? members : []).flatMap(({ id, address: ip, port }) => {
        const key = { ip, port, protocol: [protocol], logical_port: place.portsOf.get(id) ?? '' };
        const [status] = (known.get(keyOf(key)) ?? []) as readonly CheckResult[];
        return status === undefined ? [] : [[id, status] as const];
      }),
    );
    return new Map(results);
  }
}

function keyOf({ ip, port, protocol, logical_port: logicalPort }: Row): string {
  return JSON.stringify([ip, port, protocol, logicalPort]);
}
