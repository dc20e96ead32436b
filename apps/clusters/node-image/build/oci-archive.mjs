/**
 * A container image of one program, as an archive. Public sources: OCI image specification, "Image
 * Layout"; containerd, "io.containerd.image.name".
 */
import { createHash } from 'node:crypto';
import { tar } from './tar.mjs';

const MEDIA = 'application/vnd.oci.image';

/**
 * @param name with registry and tag: `docker.io/cumulet/echo:1`
 * @param program its bytes, the only content of the image
 * @returns `{ archive, digest }`: bytes, and the digest of the manifest
 */
export function ociArchive(name, program) {
  const layer = tar([
    { path: 'tmp/', mode: 0o1777 },
    { path: 'program', content: program, mode: 0o755 },
  ]);
  const config = json({
    architecture: 'amd64',
    os: 'linux',
    config: { Entrypoint: ['/program'], Env: ['PATH=/'], WorkingDir: '/' },
    rootfs: { type: 'layers', diff_ids: [digestOf(layer)] },
  });
  const manifest = json({
    schemaVersion: 2,
    mediaType: `${MEDIA}.manifest.v1+json`,
    config: descriptor(`${MEDIA}.config.v1+json`, config),
    layers: [descriptor(`${MEDIA}.layer.v1.tar`, layer)],
  });
  const index = json({
    schemaVersion: 2,
    mediaType: `${MEDIA}.index.v1+json`,
    manifests: [
      {
        ...descriptor(`${MEDIA}.manifest.v1+json`, manifest),
        platform: { architecture: 'amd64', os: 'linux' },
        annotations: {
          'io.containerd.image.name': name,
          'org.opencontainers.image.ref.name': name.slice(name.lastIndexOf(':') + 1),
        },
      },
    ],
  });
  const archive = tar([
    { path: 'oci-layout', content: json({ imageLayoutVersion: '1.0.0' }) },
    { path: 'index.json', content: index },
    ...[manifest, config, layer].map((content) => ({ path: blobOf(content), content })),
  ]);
  return { archive, digest: digestOf(manifest) };
}

function descriptor(mediaType, content) {
  return { mediaType, digest: digestOf(content), size: content.length };
}

function digestOf(content) {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

function blobOf(content) {
  return `blobs/${digestOf(content).replace(':', '/')}`;
}

function json(value) {
  return Buffer.from(JSON.stringify(value));
}
