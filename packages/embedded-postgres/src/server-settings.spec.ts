import { describe, expect, it } from '@jest/globals';

import { serverArguments } from './server-settings.js';

describe('the arguments of a server', () => {
  it('are pairs of -c and a setting, with the port among them', () => {
    const args = serverArguments({ port: 5444, durable: true });

    expect(args.filter((_, index) => index % 2 === 0).every((arg) => arg === '-c')).toBe(true);
    expect(args).toContain('port=5444');
    expect(args).toContain('listen_addresses=127.0.0.1');
  });

  it('leave durability to Postgres, which writes to disk by default', () => {
    const args = serverArguments({ port: 5444, durable: true }).join(' ');

    expect(args).not.toMatch(/fsync|synchronous_commit|full_page_writes/);
  });

  it('turn durability off for disposable data', () => {
    expect(serverArguments({ port: 5444, durable: false })).toContain('fsync=off');
  });
});
