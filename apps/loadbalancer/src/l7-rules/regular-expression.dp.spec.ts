/** What is judged here is what HAProxy is given: it must agree. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '@cumulet/common/programs/run-program';
import { expect, it } from '@jest/globals';
import { proxyPrograms } from '../data-plane/haproxy/haproxy.fixture.js';
import { policyLines } from '../data-plane/haproxy/configuration/frontend.js';
import type { RuleSpec } from '../data-plane/balancer-spec.js';
import { TAKEN } from './regular-expression.fixture.js';

const rule = (value: string, at: number): RuleSpec => ({
  id: `rule-${at}`,
  enabled: true,
  type: at % 2 === 0 ? 'PATH' : 'FILE_TYPE',
  compare: 'REGEX',
  key: null,
  value,
  invert: false,
});

it('HAProxy compiles every accepted expression', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'expressions-'));
  try {
    const file = join(folder, 'haproxy.cfg');
    const policies = TAKEN.filter((text) => text !== '').map((text, at) => ({
      id: `policy-${at}`,
      enabled: true,
      action: { type: 'REJECT' } as const,
      rules: [rule(text, at)],
    }));
    const lines = [
      'defaults',
      '  mode http',
      '  timeout client 1s',
      'frontend f',
      '  bind 127.0.0.1:1',
      ...policyLines(policies, () => undefined),
    ];
    await writeFile(file, `${lines.join('\n')}\n`);
    const { haproxy } = await proxyPrograms();
    const args = ['-c', '-f', file];
    const { exitCode, stderr } = await runProgram(haproxy, args, { timeoutMs: 10_000 });
    expect([exitCode, stderr.split('\n').filter((line) => line.includes('ALERT'))]).toEqual([
      0,
      [],
    ]);
    expect(policies.length).toBeGreaterThan(30);
  } finally {
    await rm(folder, { recursive: true });
  }
});
