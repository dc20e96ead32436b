import { describe, expect, it } from '@jest/globals';
import { banner } from './banner.js';
import { cloudEntries } from './cloud-users.js';
import type { Cloud } from './cloud.js';
import type { Secrets } from './secrets.js';

const url = 'http://127.0.0.1:8080';
const cloud: Cloud = {
  ...{ url, localUrl: url, services: [], drivers: {} },
  stop: () => Promise.resolve(),
};

function said({ demoPassword = 'demo password', isThere = true }): string {
  const secrets = { adminPassword: 'admin password', demoPassword } as Secrets;
  const entries = cloudEntries(url, secrets, {});
  const micro = { isThere, line: 'there or not' };
  return banner({ cloud, entries, cloudsYamlPath: '/data/clouds.yaml', micro, seconds: 1 });
}

describe('what a person reads once the cloud is up', () => {
  it('has the users with their passwords, and suggests to be demo', () => {
    expect(said({})).toMatch(
      / demo +demo password .* admin +admin password .* OS_CLOUD=cumulet\n/s,
    );
  });

  it('has no user demo where there is none, and suggests to be the administrator', () => {
    const text = said({ demoPassword: '' });
    expect(text).not.toContain('demo');
    expect(text).toContain('OS_CLOUD=cumulet-admin\n  openstack token issue');
  });

  it.each([true, false])('suggests a server of micro where that is there: %p', (isThere) => {
    expect(said({ isThere }).includes('--image micro')).toBe(isThere);
  });
});
