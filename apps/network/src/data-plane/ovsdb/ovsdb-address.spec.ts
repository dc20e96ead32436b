import { describe, expect, it } from '@jest/globals';
import { formatServers, hasName, parseServers, serversAt } from './ovsdb-address.js';

describe('parseServers', () => {
  it('reads addresses as OVN writes them, and lists of them', () => {
    expect(parseServers('unix:/run/nb.sock')).toEqual([{ path: '/run/nb.sock' }]);
    expect(parseServers('tcp:[::1]:6641,ssl:ovn-2.local:6642')).toEqual([
      { method: 'tcp', host: '::1', port: 6641 },
      { method: 'ssl', host: 'ovn-2.local', port: 6642 },
    ]);
  });

  it.each([
    '',
    'tcp:a',
    'tcp:a:0',
    'tcp:a:65536',
    'tcp:a:1,',
    'tcp:a:1, tcp:b:1',
    'udp:a:1',
    'unix:',
  ])('refuses %p', (text) => {
    expect(parseServers(text)).toBeUndefined();
  });

  it('tells names from addresses', () => {
    const all = parseServers('unix:a,tcp:10.0.0.1:1,tcp:[::1]:1,tcp:ovn:1') ?? [];
    expect(all.map(hasName)).toEqual([false, false, false, true]);
  });
});

it('resolves names, and leaves those that have no address', async () => {
  const found = formatServers(await serversAt('tcp:localhost:1,tcp:[::1]:2,ssl:none.invalid:3'));
  expect(found).toMatch(/^tcp:127\.0\.0\.1:1,(tcp:\[::1\]:1,)?tcp:\[::1\]:2,ssl:none\.invalid:3$/);
  await expect(serversAt('somewhere')).rejects.toThrow('somewhere');
});
