/**
 * Images of nodes of Kubernetes clusters: those that `npm run node-image` leaves in the data folder, or that
 * were copied there from another machine, each uploaded once as a public image of the admin project. One that
 * is built anew takes the place of the former, which servers go on to use but lists do not show.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, pipeline } from 'node:stream';
import type { Actor } from '@cumulet/clients/http/actor';
import type { ServiceClient } from '@cumulet/clients/http/service-client';

/** The .json beside an image: attributes and properties of it, as the images API names them. */
interface ImageRecord {
  readonly name: string;
  /** Of the .qcow2, in hex. */
  readonly sha256: string;
  readonly [property: string]: unknown;
}

interface FoundImage {
  readonly id: string;
  readonly status: string;
  readonly sha256?: string;
}

/** @returns a line for the start, or nothing without such an image */
export async function seedNodeImages(
  images: ServiceClient,
  admin: () => Promise<Actor>,
  dataDir: string,
): Promise<string | undefined> {
  const folder = join(dataDir, 'node-images');
  const files = await readdir(folder).catch((): string[] => []);
  const names = files
    .filter((file) => file.endsWith('.qcow2') && files.includes(recordOf(file)))
    .sort();
  if (names.length === 0) return undefined;
  const actor = await admin();
  for (const file of names) await register(images, actor, join(folder, file));
  return names.map((file) => file.slice(0, -'.qcow2'.length)).join(', ');
}

function recordOf(file: string): string {
  return file.replace(/\.qcow2$/, '.json');
}

async function register(images: ServiceClient, actor: Actor, path: string): Promise<void> {
  const record = JSON.parse(await readFile(recordOf(path), 'utf8')) as ImageRecord;
  const found = await imagesNamed(record.name, images, actor);
  if (found.some(({ status, sha256 }) => status === 'active' && sha256 === record.sha256)) return;
  await upload(images, actor, path, record);
  for (const former of found) await retire(images, actor, former);
}

async function imagesNamed(
  name: string,
  images: ServiceClient,
  actor: Actor,
): Promise<readonly FoundImage[]> {
  const query = { name, visibility: 'public' };
  const { body } = await images.send({ path: '/v2/images', query, actor });
  return (body as { images: readonly FoundImage[] }).images;
}

/** @throws Error, and removes the image, if the file differs from its record */
async function upload(
  images: ServiceClient,
  actor: Actor,
  path: string,
  record: ImageRecord,
): Promise<void> {
  const { body } = await images.create({
    path: '/v2/images',
    actor,
    json: { ...record, visibility: 'public' },
  });
  const { id } = body as { id: string };
  const hash = createHash('sha256');
  const hashed = new PassThrough();
  hashed.on('data', (chunk: Buffer) => hash.update(chunk));
  await images.send({
    method: 'PUT',
    path: `/v2/images/${id}/file`,
    actor,
    headers: { 'Content-Type': 'application/octet-stream' },
    // A failure of the file fails the request that reads it.
    stream: pipeline(createReadStream(path), hashed, () => undefined),
  });
  if (hash.digest('hex') === record.sha256) return;
  await images.send({ method: 'DELETE', path: `/v2/images/${id}`, actor });
  throw new Error(`${path} is not the file that its .json describes: their SHA-256 differ`);
}

/** One that an interrupted start left is removed. */
async function retire(images: ServiceClient, actor: Actor, image: FoundImage): Promise<void> {
  const path = `/v2/images/${image.id}`;
  if (image.status !== 'active') {
    await images.send({ method: 'DELETE', path, actor });
    return;
  }
  await images.send({
    method: 'PATCH',
    path,
    actor,
    headers: { 'content-type': 'application/openstack-images-v2.1-json-patch' },
    json: [{ op: 'replace', path: '/os_hidden', value: true }],
  });
}
