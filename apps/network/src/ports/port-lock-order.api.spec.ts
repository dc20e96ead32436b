import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import { floatingTopology } from '../floatingips/floating-topology.fixture.js';
import type { FloatingTopology } from '../floatingips/floating-topology.fixture.js';
import { startNetwork, type NetworkFixture } from '../network.fixture.js';

let network: NetworkFixture;
let all: FloatingTopology;

beforeAll(async () => {
  network = await startNetwork();
  all = await floatingTopology(network);
});
afterAll(() => network.stop());

/** Another transaction on the rows. */
const another = async () => {
  const runner = network.app.dataSource.createQueryRunner();
  await runner.startTransaction();
  // If both wait for each other, this one gets the error.
  await runner.query("SET LOCAL deadlock_timeout = '10ms'");
  return {
    lock: (table: string, id: string, mode: string) =>
      runner.query(`SELECT FROM ${table} WHERE id = $1 FOR ${mode}`, [id]),
    async end() {
      await runner.rollbackTransaction();
      await runner.release();
    },
  };
};

const waitsFor = (table: string): Promise<void> =>
  eventually(`the change waits for ${table}`, async () => {
    const rows: object[] = await network.app.dataSource.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database()
          AND wait_event_type = 'Lock' AND query LIKE '%' || $1 || '%'`,
      [table],
    );
    return rows.length > 0;
  });

describe('a floating IP that is associated with a port while the port is changed', () => {
  it('locks the router before the port, so that there is no deadlock', async () => {
    const port = await network.create('ports', { network_id: all.inside.id });
    const where = { floating_network_id: all.outside.id };
    const { id } = await network.create('floatingips', where);
    const reader = await another();
    await reader.lock('ports', port.id, 'SHARE');
    const changed = network.client.put(`/v2.0/ports/${port.id}`, {
      token: network.member,
      body: { port: { admin_state_up: false } },
    });
    await waitsFor('ports');
    const led = await network.client.put(`/v2.0/floatingips/${id}`, {
      token: network.member,
      body: { floatingip: { port_id: port.id } },
    });
    expect(led.status).toBe(200);
    const owner = await another();
    await owner.lock('routers', all.router.id, 'UPDATE');
    await reader.end();
    await waitsFor('routers');
    await expect(owner.lock('ports', port.id, 'SHARE')).resolves.toBeDefined();
    await owner.end();
    expect((await changed).status).toBe(200);
  });
});
