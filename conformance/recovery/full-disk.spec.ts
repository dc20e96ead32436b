/** A full disk takes no more log lines: the cloud goes on without them. */
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { RunningCloud } from '../support/running-cloud.js';
import { SIMULATED_CLOUD } from '../support/simulated-cloud.js';

const MINUTES = 60_000;

let cloud: RunningCloud;

beforeAll(async () => {
  cloud = await RunningCloud.stopped(SIMULATED_CLOUD);
  const log = join(cloud.folder, 'log');
  await rm(log, { recursive: true });
  await mkdir(log);
  await symlink('/dev/full', join(log, 'cumulet.log'));
}, 5 * MINUTES);

afterAll(() => cloud.remove(), 5 * MINUTES);

it(
  'a cloud whose log cannot be written says so once, answers and ends properly',
  async () => {
    await cloud.start();
    for (let request = 0; request < 20; request += 1) {
      const answer = await fetch(`${cloud.url}/identity/v3/users`);
      expect(answer.status).toBe(401);
    }
    expect(await cloud.stop()).toBe(0);
    expect(cloud.output.match(/cannot be written \(ENOSPC/g)).toHaveLength(1);
    expect(await cloud.processes()).toEqual([]);
  },
  10 * MINUTES,
);
