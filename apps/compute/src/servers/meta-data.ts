/**
 * `meta_data.json` as Nova writes it, for config drive and metadata service. Pure. Public source:
 * Nova user guide, "Metadata", "OpenStack format metadata".
 */
import { DEFAULT_ZONE } from '../hosts/host.entity.js';
import type { KeypairSnapshot, Server } from './server.entity.js';

/** Without files, whose place differs between the two. */
export function metaDataOf(server: Server): Record<string, unknown> {
  return {
    uuid: server.id,
    name: server.name,
    hostname: server.hostname,
    project_id: server.projectId,
    availability_zone: server.zone ?? DEFAULT_ZONE,
    launch_index: server.launchIndex,
    meta: server.metadata,
    ...(server.keypair ? keysOf(server.keypair) : {}),
  };
}

/** The guest's files, each with its place on the config drive. */
export function contentsOf({ injectedFiles }: Pick<Server, 'injectedFiles'>): {
  readonly path: string;
  readonly contentPath: string;
  /** Base64. */
  readonly contents: string;
}[] {
  return injectedFiles.map(({ path, contents }, at) => ({
    path,
    contents,
    contentPath: `/content/${String(at).padStart(4, '0')}`,
  }));
}

function keysOf({ name, type, publicKey: data }: KeypairSnapshot): Record<string, unknown> {
  return { public_keys: { [name]: data }, keys: [{ name, type, data }] };
}
