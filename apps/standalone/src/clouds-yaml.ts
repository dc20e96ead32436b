import { join } from 'node:path';
import { writeDurably } from '@cumulet/common/files/durable-file';
import type { Secrets } from './secrets.js';

export interface CloudEntry {
  /** The name that `OS_CLOUD` chooses. */
  readonly name: string;
  readonly username: string;
  readonly password: string;
  readonly project: string;
}

export function cloudEntries({ adminPassword, demoPassword }: Secrets): CloudEntry[] {
  return [
    { name: 'cumulet', username: 'demo', password: demoPassword, project: 'demo' },
    { name: 'cumulet-admin', username: 'admin', password: adminPassword, project: 'admin' },
  ];
}

/** What the openstack client, the SDKs and Terraform read. JSON strings are YAML strings too. */
export function cloudsYaml(url: string, entries: readonly CloudEntry[]): string {
  const blocks = entries.map(({ name, username, password, project }) =>
    [
      `  ${name}:`,
      '    auth:',
      `      auth_url: ${JSON.stringify(`${url}/identity/v3`)}`,
      `      username: ${JSON.stringify(username)}`,
      `      password: ${JSON.stringify(password)}`,
      `      project_name: ${JSON.stringify(project)}`,
      '      user_domain_id: default',
      '      project_domain_id: default',
      '    region_name: RegionOne',
      '    identity_api_version: 3',
    ].join('\n'),
  );
  return `clouds:\n${blocks.join('\n')}\n`;
}

/** Written whole, readable by its user alone. @returns its path */
export async function writeCloudsYaml(folder: string, content: string): Promise<string> {
  const path = join(folder, 'clouds.yaml');
  await writeDurably(path, content);
  return path;
}
