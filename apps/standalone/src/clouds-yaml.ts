/** Entries of clouds.yaml: what the openstack client, the SDKs and Terraform read to log in. */
import { join } from 'node:path';
import { writeDurably } from '@cumulet/common/files/durable-file';
import { yamlDocument, type Yaml, type YamlTree } from '@cumulet/common/languages/yaml';

export interface CloudEntry {
  /** The name that `OS_CLOUD` chooses. */
  readonly name: string;
  /** With its version: `http://127.0.0.1:8080/identity/v3`. */
  readonly authUrl: string;
  readonly username: string;
  readonly password?: string | undefined;
  readonly project: string;
  /** The id of the domain of both. */
  readonly domainId: string;
  /** Undefined to use the cloud's only region. */
  readonly region?: string | undefined;
}

export function cloudsYaml(entries: readonly CloudEntry[]): Yaml {
  const clouds = Object.fromEntries(entries.map((entry) => [entry.name, fieldsOf(entry)]));
  return yamlDocument({ clouds });
}

function fieldsOf({
  authUrl,
  username,
  password,
  project,
  domainId,
  region,
}: CloudEntry): YamlTree {
  return {
    auth: {
      auth_url: authUrl,
      username,
      ...(password === undefined ? {} : { password }),
      project_name: project,
      user_domain_id: domainId,
      project_domain_id: domainId,
    },
    ...(region === undefined ? {} : { region_name: region }),
    identity_api_version: 3,
  };
}

/** The standalone cloud's own file. */
export function cloudsYamlPath(dataDir: string): string {
  return join(dataDir, 'clouds.yaml');
}

/** Written atomically, readable by its user alone. @returns its path */
export async function writeCloudsYaml(dataDir: string, content: Yaml): Promise<string> {
  const path = cloudsYamlPath(dataDir);
  await writeDurably(path, content);
  return path;
}
