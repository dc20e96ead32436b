/**
 * Keeps the address at which ovn-controller finds the southbound database up to date where a host
 * has a name: ovn-controller would use an address for as long as the name server allows, ten
 * minutes with Docker's, while a recreated server has another one. The name is resolved again
 * whenever this process has connected anew.
 */
import { formatServers, hasName, parseServers, serversAt } from '../../ovsdb/ovsdb-address.js';
import { OvsdbClient } from '../../ovsdb/ovsdb-client.js';
import { SWITCH_DATABASE, planSouthbound } from './switch-rows.js';

export class SouthboundAddress {
  readonly #southbound: OvsdbClient;
  readonly #switch: OvsdbClient;

  private constructor(
    private readonly addresses: string,
    switchDatabase: string,
  ) {
    this.#southbound = new OvsdbClient({
      address: addresses,
      database: 'OVN_Southbound',
      tables: {},
    });
    this.#switch = new OvsdbClient({
      address: switchDatabase,
      database: SWITCH_DATABASE,
      tables: { Open_vSwitch: ['external_ids'] },
    });
    for (const client of [this.#southbound, this.#switch]) {
      client.onConnect(() => void this.#tell());
      client.start();
    }
  }

  /** @returns undefined if the addresses have no names */
  static follow(addresses: string, switchDatabase: string): SouthboundAddress | undefined {
    const isNamed = parseServers(addresses)?.some(hasName) === true;
    return isNamed ? new SouthboundAddress(addresses, switchDatabase) : undefined;
  }

  stop(): void {
    for (const client of [this.#southbound, this.#switch]) client.stop();
  }

  async #tell(): Promise<void> {
    const southbound = formatServers(await serversAt(this.addresses));
    const operations = planSouthbound(this.#switch.rows, southbound);
    // Without its database the switch is not reached: the next connection repeats this.
    if (operations.length > 0) await this.#switch.transact(operations).catch(() => undefined);
  }
}
