/** Archives of container images. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { expect, it } from '@jest/globals';

import { ociArchive } from './oci-archive.mjs';
import { tar } from './tar.mjs';

const PROGRAM = Buffer.from('a program');
const NAME = 'docker.io/cumulet/echo:1';

function entry(archive, path) {
  return execFileSync('tar', ['-xO', path], { input: archive });
}

it('are read by tar, with modes and folders', () => {
  const archive = tar([
    { path: 'tmp/', mode: 0o1777 },
    { path: 'program', content: PROGRAM, mode: 0o755 },
  ]);
  const listed = execFileSync('tar', ['-tv'], { input: archive, encoding: 'utf8' });
  expect(listed).toMatch(/^drwxrwxrwt .* tmp\/\n-rwxr-xr-x .* 9 .* program\n$/);
  expect(entry(archive, 'program')).toEqual(PROGRAM);
});

it('refuse a path that is too long for the format', () => {
  expect(() => tar([{ path: 'a'.repeat(101) }])).toThrow(RangeError);
});

it('refer from name to program by digests', () => {
  const { archive, digest } = ociArchive(NAME, PROGRAM);
  const blob = (of) => {
    const bytes = entry(archive, `blobs/${of.replace(':', '/')}`);
    expect(`sha256:${createHash('sha256').update(bytes).digest('hex')}`).toBe(of);
    return bytes;
  };
  const { manifests } = JSON.parse(entry(archive, 'index.json'));
  expect(manifests).toMatchObject([{ digest, annotations: { 'io.containerd.image.name': NAME } }]);
  const manifest = JSON.parse(blob(digest));
  const config = JSON.parse(blob(manifest.config.digest));
  const layer = blob(manifest.layers[0].digest);
  expect(config).toMatchObject({
    config: { Entrypoint: ['/program'] },
    rootfs: { diff_ids: [manifest.layers[0].digest] },
  });
  expect(entry(layer, 'program')).toEqual(PROGRAM);
});

it('are reproducible', () => {
  expect(ociArchive(NAME, PROGRAM)).toEqual(ociArchive(NAME, PROGRAM));
});
