/**
 * The config drive: an ISO image labelled `config-2` (Nova user guide, "Config drives"; cloud-init,
 * "Config Drive"). All readers know the version directory `latest`. Injected files lie there under
 * numbers; `meta_data.json` has their paths.
 */
import type { ConfigDriveContent } from '../../ports/guest-spec.js';
import { iso9660Image } from './iso9660-image.js';

export function configDriveImage(content: ConfigDriveContent, time: Date): Buffer {
  const files = new Map<string, Uint8Array>();
  const injected = (content.files ?? []).map(({ path, contents }, at) => {
    const contentPath = `/content/${String(at).padStart(4, '0')}`;
    files.set(`openstack${contentPath}`, Buffer.from(contents, 'base64'));
    return { path, content_path: contentPath };
  });
  const named = injected.length === 0 ? {} : { files: injected };
  files.set('openstack/latest/meta_data.json', json({ ...content.metaData, ...named }));
  if (content.userData !== undefined) {
    files.set('openstack/latest/user_data', Buffer.from(content.userData, 'base64'));
  }
  if (content.networkData !== undefined) {
    files.set('openstack/latest/network_data.json', json(content.networkData));
  }
  return iso9660Image('config-2', files, time);
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
