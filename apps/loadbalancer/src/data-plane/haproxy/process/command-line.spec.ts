import { describe, expect, it } from '@jest/globals';
import { commandLine, namespaceFile } from './command-line.js';

const programs = {
  haproxy: '/p/haproxy',
  prlimit: '/p/prlimit',
  setpriv: '/p/setpriv',
  nsenter: '/p/nsenter',
};
const launch = { account: undefined, memoryBytes: 1000, pidFile: 'run/1.pid' };

describe('the command line of a HAProxy', () => {
  it('is limited, as the same user, on the host', () => {
    const line = commandLine(programs, { ...launch, place: { kind: 'host' } }).join(' ');
    expect(line).toBe(
      '/p/prlimit --as=1000 --core=0 -- ' +
        '/p/haproxy -W -S unix@run/master.sock,mode,600 -f configuration/haproxy.cfg -p run/1.pid',
    );
  });

  it('goes into the namespace first, and then becomes another user who may bind low ports', () => {
    const place = { kind: 'namespace', name: 'vip-1' } as const;
    const account = { uid: 7, gid: 8 };
    const line = commandLine(programs, { ...launch, account, place }).join(' ');
    expect(line).toMatch(
      /^\/p\/nsenter --net=\/run\/netns\/vip-1 -- \/p\/prlimit .* -- \/p\/setpriv --reuid=7 --regid=8 --clear-groups .*--ambient-caps=-all,\+net_bind_service .* -- \/p\/haproxy /,
    );
  });

  it.each(['../etc', '', '-x', 'a/b'])('has no namespace of the name "%s"', (name) => {
    expect(() => namespaceFile({ kind: 'namespace', name })).toThrow(/no name of a file/);
  });
});
