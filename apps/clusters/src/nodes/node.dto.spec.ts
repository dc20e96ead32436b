/** The bounds of reports: docs/bounds.md. */
import { expect, it } from '@jest/globals';
import { validated } from '@cumulet/common/http/validation';
import { BootstrapDto, ReportDto } from './node.dto.js';

const several = <T>(count: number, one: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => one(at));
const addons = (count: number, message = '', name = 'addon-'): object =>
  Object.fromEntries(several(count, (at) => [`${name}${at}`, { ready: true, message }]));
const addresses = (count: number): string[] => several(count, (at) => `10.0.0.${at + 1}`);
const names = (count: number, length = 1): string[] => several(count, () => 'm'.repeat(length));

const bootstrap = (fields: object): Promise<unknown> =>
  validated(BootstrapDto, { nonce: 'ab'.repeat(16), addresses: ['10.0.0.7'], ...fields });
const report = (fields: object): Promise<unknown> =>
  validated(ReportDto, { phase: 'ready', status: 'READY', message: '', ...fields });

it('a node may report up to the bounds', async () => {
  expect(await bootstrap({ addresses: addresses(16) })).toMatchObject({ addresses: addresses(16) });
  const most = {
    message: 'm'.repeat(1_000),
    version: 'v'.repeat(64),
    addons: addons(32, 'm'.repeat(1_000), 'a'.repeat(62)),
    etcd_removed: names(16, 255),
  };
  expect(await report(most)).toMatchObject(most);
});

it.each<[string, () => Promise<unknown>, string]>([
  ['an address', () => bootstrap({ addresses: addresses(17) }), 'addresses must be 1 to 16'],
  ['an add-on', () => report({ addons: addons(33) }), 'addons must be an object of at most 32'],
  [
    'a character of an add-on',
    () => report({ addons: addons(1, 'm'.repeat(1_001)) }),
    'addons must',
  ],
  [
    "a character of an add-on's name",
    () => report({ addons: addons(1, '', 'a'.repeat(64)) }),
    'addons must',
  ],
  ['a character', () => report({ message: 'm'.repeat(1_001) }), 'message must'],
  ['a character of its version', () => report({ version: 'v'.repeat(65) }), 'version must'],
  ['a member of etcd', () => report({ etcd_removed: names(17) }), 'etcd_removed must'],
  ['a character of such', () => report({ etcd_removed: names(1, 256) }), 'in etcd_removed must'],
])('a node is refused %s more', async (_, said, message) => {
  await expect(said()).rejects.toThrow(message);
});
