import { readFile, writeFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import type { BalancerSpec } from '../../balancer-spec.js';
import { balancerSpec } from '../../balancer.fixture.js';
import { CONFIGURATION, fingerprintOf, limited, render } from './render.js';
import { encrypted, HOST, RICH } from './rich.fixture.js';

const PEM = { bundle: 'a key and a certificate\n', ca: 'a CA\n', revocations: 'a list\n' };

/** Compares with the file of this name, which is written if it does not exist. */
async function expectGolden(name: string, text: string): Promise<void> {
  const file = new URL(`./golden/${name}`, import.meta.url);
  const golden = await readFile(file, 'utf8').catch(() => undefined);
  if (golden === undefined) await writeFile(file, text);
  expect(text).toBe(golden);
}

it.each<[string, BalancerSpec]>([...Object.entries(RICH), ['encrypted', encrypted(PEM)]])(
  'the load balancer "%s" renders to its golden file',
  async (name, spec) => {
    await expectGolden(`${name}.cfg`, render(spec, HOST, 'a-fingerprint').get(CONFIGURATION) ?? '');
  },
);

it('TLS files and lists of certificates are rendered beside it', () => {
  const files = new Map(render(encrypted(PEM), HOST, ''));
  files.delete(CONFIGURATION);
  expect(Object.fromEntries(files)).toEqual({
    'tls.certificates': 'configuration/first.pem\nconfiguration/second.pem\n',
    'optional.certificates': 'configuration/first.pem\n',
    'first.pem': PEM.bundle,
    'second.pem': PEM.bundle,
    'ours.pem': PEM.bundle,
    'ca.pem': PEM.ca,
    'revoked.pem': PEM.revocations,
  });
});

it('member numbers are stable when other members are added or removed', () => {
  const [pool] = RICH.layer7.pools;
  const numbers = (ids: string[]): (string | undefined)[] => {
    const members = ids.map((id) => ({ ...pool?.members[0], id }) as never);
    const spec = { ...RICH.layer7, pools: [{ ...pool, members } as never] };
    const text = render(spec, HOST, '').get(CONFIGURATION) ?? '';
    return ['a', 'b'].map((id) => new RegExp(`server ${id} \\S+ id (\\d+)`).exec(text)?.[1]);
  };
  expect(numbers(['z', 'b', 'y', 'a'])).toEqual(numbers(['a', 'b']));
  expect(new Set(numbers(['a', 'b'])).size).toBe(2);
});

it('the fingerprint covers everything except what commands change', () => {
  const of = (change: (text: string) => string): string =>
    fingerprintOf(JSON.parse(change(JSON.stringify(RICH.plain))) as BalancerSpec, HOST);
  const same = of((text) => text);
  expect(of((text) => text.replace('"weight":256', '"weight":7'))).toBe(same);
  expect(
    of((text) => text.replace('"id":"light","enabled":true', '"id":"light","enabled":false')),
  ).toBe(same);
  expect(of((text) => text.replace('2001:db8::10', '2001:db8::12'))).toBe(same);
  expect(of((text) => text.replace('"id":"light"', '"id":"another"'))).not.toBe(same);
  expect(of((text) => text.replace('"clientData":1000', '"clientData":1001'))).not.toBe(same);
  expect(fingerprintOf(encrypted(PEM), HOST)).not.toBe(
    fingerprintOf(encrypted({ ...PEM, ca: 'another' }), HOST),
  );
});

const LARGE = { ...HOST, maxConnections: 1000, threads: 2 };

it.each([
  ['has the limits of the host without a flavor', undefined, LARGE],
  ['has the connection limit of the flavor', { connections: 10 }, { ...LARGE, maxConnections: 10 }],
  ['has no more connections than the host allows', { connections: 5000 }, LARGE],
  ['has the thread count of the flavor', { threads: 4 }, { ...LARGE, threads: 4 }],
])('%s', (_, limits, expected) => {
  expect(limited(LARGE, { ...balancerSpec(), ...(limits ? { limits } : {}) })).toEqual(expected);
});
