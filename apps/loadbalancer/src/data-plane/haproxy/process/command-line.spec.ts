import { describe, expect, it } from '@jest/globals';
import { commandLine, judgeAccounts, namespaceFile } from './command-line.js';

const programs = {
  haproxy: '/p/haproxy',
  prlimit: '/p/prlimit',
  setpriv: '/p/setpriv',
  nsenter: '/p/nsenter',
};
const launch = { account: undefined, memoryBytes: 1000, pidFile: 'run/1.pid' };

describe('the command line of HAProxy', () => {
  it('sets limits and keeps the user, on the host', () => {
    const line = commandLine(programs, { ...launch, place: { kind: 'host' } }).join(' ');
    expect(line).toBe(
      '/p/prlimit --as=1000 --core=0 -- ' +
        '/p/haproxy -W -S unix@run/master.sock,mode,600 -f configuration/haproxy.cfg -p run/1.pid',
    );
  });

  it('enters the namespace before it changes to a user who can bind low ports', () => {
    const place = { kind: 'namespace', name: 'vip-1' } as const;
    const account = { uid: 7, gid: 8 };
    const line = commandLine(programs, { ...launch, account, place }).join(' ');
    expect(line).toMatch(
      /^\/p\/nsenter --net=\/run\/netns\/vip-1 -- \/p\/prlimit .* -- \/p\/setpriv --reuid=7 --regid=8 --clear-groups .*--ambient-caps=-all,\+net_bind_service .* -- \/p\/haproxy /,
    );
  });

  it.each(['../etc', '', '-x', 'a/b'])('refuses the namespace name "%s"', (name) => {
    expect(() => namespaceFile({ kind: 'namespace', name })).toThrow(/no name of a file/);
  });
});

const ALL = '000001ffffffffff';
const MAP = '         0          0 4294967295\n';
const root = {
  status: `Uid:\t0\t0\t0\t0\nCapEff:\t${ALL}\n`,
  uidMap: MAP,
  gidMap: MAP,
};

describe('the user of HAProxy', () => {
  it('is different for each load balancer if started by root', () => {
    const accountOf = judgeAccounts(root);
    expect(accountOf('a')).toEqual(accountOf('a'));
    expect(accountOf('a')?.uid).not.toBe(accountOf('b')?.uid);
    expect(accountOf('a')?.uid).toBeGreaterThanOrEqual(0x7000_0000);
  });

  it.each([
    ['another user', { status: root.status.replaceAll('\t0', '\t1000') }],
    ['root without CAP_SETUID', { status: root.status.replace(ALL, '000001ffffffff7f') }],
    ['root without these ids', { uidMap: '0 100000 65536\n' }],
  ])('is unchanged for %s', (_, facts) => {
    expect(judgeAccounts({ ...root, ...facts })('a')).toBeUndefined();
  });
});
