import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '@cumulet/common/programs/run-program';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { hostileText, manyOf } from '@cumulet/testing/hostile-texts';
import {
  balancerSpec,
  listenerSpec,
  monitorSpec,
  poolSpec,
  ruleSpec,
} from '../../balancer.fixture.js';
import type { BalancerSpec, PolicySpec } from '../../balancer-spec.js';
import { AUTHORITY, CLIENT, REVOCATIONS } from '../certificates.fixture.js';
import { proxyPrograms } from '../haproxy.fixture.js';
import { CONFIGURATION, render } from './render.js';
import { encrypted, HOST, RICH } from './rich.fixture.js';
import { FILES, UnquotableWordError, word } from './words.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'haproxy-check-'));
});
afterAll(() => rm(folder, { recursive: true }));

const pem = { bundle: CLIENT, ca: AUTHORITY, revocations: REVOCATIONS };

async function check(
  name: string,
  spec: BalancerSpec,
): Promise<{ said: string[]; exitCode: number | undefined }> {
  const cwd = join(folder, name);
  await mkdir(join(cwd, FILES), { recursive: true });
  await writeFile(join(cwd, 'server-states'), '1\n');
  for (const [file, text] of render(spec, HOST, name))
    await writeFile(join(cwd, FILES, file), text);
  const { haproxy } = await proxyPrograms();
  const args = ['-W', '-c', '-f', join(FILES, CONFIGURATION)];
  const { exitCode, stderr } = await runProgram(haproxy, args, { timeoutMs: 60_000, cwd });
  return { said: stderr.split('\n').filter((line) => /ALERT|WARNING/.test(line)), exitCode };
}

it.each<[string, BalancerSpec]>([...Object.entries(RICH), ['encrypted', encrypted(pem)]])(
  'HAProxy accepts the configuration of the load balancer "%s" without warnings',
  async (name, spec) => {
    expect(await check(name, spec)).toEqual({ said: [], exitCode: 0 });
  },
);

it('HAProxy reads any value from a client as one word, unless it is refused first', async () => {
  const known = manyOf(hostileText).filter((value) => {
    try {
      word(value);
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(UnquotableWordError);
      return false;
    }
  });
  expect(known.length).toBeGreaterThan(3_000);
  const types = ['PATH', 'HEADER', 'COOKIE', 'HOST_NAME'] as const;
  const policies = known.map((value, at): PolicySpec => {
    const type = types[at % types.length] ?? 'PATH';
    const key = /["\\,()]/.test(value) || value === '' ? 'X-Tenant' : value;
    const rule = ruleSpec({ id: `rule-${at}`, type, compare: 'EQUAL_TO', key, value });
    const action = {
      type: 'REDIRECT_TO_URL',
      url: `http://example.com/${value}`,
      code: 302,
    } as const;
    return { id: `policy-${at}`, enabled: true, action, rules: [rule] };
  });
  const domain = known
    .join('')
    .replaceAll(/[^ -~]/g, '')
    .slice(0, 500);
  const http = { method: 'GET', path: '/', expectedCodes: '200', version: 1.1, domain } as const;
  const pools = [poolSpec({ monitor: monitorSpec({ http }) })];
  const listeners = [listenerSpec({ port: 8000, policies })];
  const spec = balancerSpec({ addresses: ['127.88.0.1'], listeners, pools });
  expect(await check('hostile', spec)).toEqual({ said: [], exitCode: 0 });
});
