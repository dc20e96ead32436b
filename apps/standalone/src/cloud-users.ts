import { identitySettings } from '@cumulet/identity/config';
import type { CloudEntry } from './clouds-yaml.js';
import type { Environment } from './config.js';
import type { Secrets } from './secrets.js';

/** The administrator's entry in the clouds.yaml that the cloud writes. */
export const ADMIN_ENTRY = 'cumulet-admin';

/** A user that exists from the first start. */
export type SeededEntry = CloudEntry & { readonly password: string };

/** The first one is for trying things out. @param url the cloud's own address */
export function cloudEntries(url: string, secrets: Secrets, env: Environment): SeededEntry[] {
  const common = {
    authUrl: `${url}/identity/v3`,
    domainId: 'default',
    region: identitySettings.region.read(env[identitySettings.region.env]),
  };
  const { adminPassword: admin, demoPassword: demo } = secrets;
  return [
    { ...common, name: 'cumulet', username: 'demo', password: demo, project: 'demo' },
    { ...common, name: ADMIN_ENTRY, username: 'admin', password: admin, project: 'admin' },
  ].filter(({ password }) => password !== '');
}
