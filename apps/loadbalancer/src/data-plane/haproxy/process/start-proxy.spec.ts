import { describe, expect, it } from '@jest/globals';
import { reasonIn } from './start-proxy.js';

describe('the reason why HAProxy does not run', () => {
  it('is its alert, without paths and process ids', () => {
    const log = [
      '[NOTICE]   (12) : haproxy version is 2.6.12',
      "[ALERT]    (12) : config : parsing [configuration/haproxy.cfg:26] : 'bind 127.0.0.1:443' in section 'frontend' : 'crt' : unable to load certificate from file '/run/x/configuration/a.pem'.",
      '[ALERT]    (12) : config : Error(s) found in configuration file : configuration/haproxy.cfg',
      '[ALERT]    (12) : config : Fatal errors found in configuration.',
    ].join('\n');
    expect(reasonIn(log)).toBe(
      "'bind 127.0.0.1:443' in section 'frontend' : 'crt' : unable to load certificate from file 'a.pem'",
    );
  });

  it('may be an address that is in use', () => {
    const said =
      'Starting frontend l1: cannot bind socket (Address already in use) for [127.0.0.1:80]';
    expect(reasonIn(`[ALERT]    (7) : ${said}\n[ALERT]    (7) : [haproxy.main()] Some\n`)).toBe(
      said,
    );
  });

  it('is empty if it only warns', () => {
    expect(reasonIn('[WARNING]  (12) : config : something\n')).toBeUndefined();
  });
});
