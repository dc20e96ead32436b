import { existsSync } from 'node:fs';
import { readlink } from 'node:fs/promises';

import { describe, expect, it } from '@jest/globals';

import { query, startKeeper } from './cluster.fixture.js';
import { processesIn } from './leftover-processes.js';
import { startThrowawayCluster } from './throwaway-cluster.js';

const ignore = (): void => undefined;

describe('a throwaway cluster', () => {
  it('starts fast, is not durable, and is removed at its stop', async () => {
    const cluster = await startThrowawayCluster(ignore);
    const data = await readlink(`/proc/${cluster.pid()}/cwd`);
    const fsync = await query(cluster.url('postgres'), 'SHOW fsync');

    await cluster.stop();

    expect(fsync).toEqual(['off']);
    expect(existsSync(data)).toBe(false);
  });

  it('is removed by the next one if its process was killed, unless it is in use', async () => {
    const keepers = [startKeeper('throwaway'), startKeeper('throwaway')] as const;
    const [abandoned, inUse] = await Promise.all(
      keepers.map(async (keeper) => {
        const { postmaster } = await keeper.saw((event) => event.url !== undefined);
        return readlink(`/proc/${String(postmaster)}/cwd`);
      }),
    );
    await keepers[0].kill();

    const next = await startThrowawayCluster(ignore);

    expect(processesIn(String(abandoned))).toEqual([]);
    expect(existsSync(String(abandoned))).toBe(false);
    expect(existsSync(String(inUse))).toBe(true);
    await Promise.all([next.stop(), keepers[1].stop()]);
  });
});
