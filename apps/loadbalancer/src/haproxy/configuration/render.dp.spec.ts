import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '@cumulet/common/programs/run-program';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { BalancerSpec } from '../../data-plane/balancer-spec.js';
import { AUTHORITY, CLIENT, REVOCATIONS } from '../certificates.fixture.js';
import { proxyPrograms } from '../haproxy.fixture.js';
import { CONFIGURATION, render } from './render.js';
import { encrypted, HOST, RICH } from './rich.fixture.js';
import { FILES } from './words.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'haproxy-check-'));
});
afterAll(() => rm(folder, { recursive: true }));

const pem = { bundle: CLIENT, ca: AUTHORITY, revocations: REVOCATIONS };

it.each<[string, BalancerSpec]>([...Object.entries(RICH), ['encrypted', encrypted(pem)]])(
  'HAProxy takes the configuration of the load balancer "%s", and has nothing to warn of',
  async (name, spec) => {
    const cwd = join(folder, name);
    await mkdir(join(cwd, FILES), { recursive: true });
    await writeFile(join(cwd, 'server-states'), '1\n');
    for (const [file, text] of render(spec, HOST, name))
      await writeFile(join(cwd, FILES, file), text);
    const { haproxy } = await proxyPrograms();
    const args = ['-W', '-c', '-f', join(FILES, CONFIGURATION)];
    const { exitCode, stderr } = await runProgram(haproxy, args, { timeoutMs: 10_000, cwd });
    expect(stderr.split('\n').filter((line) => /ALERT|WARNING/.test(line))).toEqual([]);
    expect(exitCode).toBe(0);
  },
);
