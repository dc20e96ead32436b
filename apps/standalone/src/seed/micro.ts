/**
 * The image `micro`: built from Debian packages if possible, and uploaded once as a public image of
 * the admin project. The cloud works without it.
 */
import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Actor } from '@cumulet/clients/http/actor';
import type { ServiceClient } from '@cumulet/clients/http/service-client';

const run = promisify(execFile);

const BUILD_LIMIT_MS = 180_000;

/** Where an image of deploy/Dockerfile has it, built with the image. */
const PREPARED = '/usr/share/cumulet/micro.qcow2';

export interface MicroOptions {
  /** The folder of the image's sources, with `build.sh`. */
  readonly guestImageDir: string;
  readonly dataDir: string;
  /** Reports steps that take a while. */
  readonly say: (line: string) => void;
  /** Aborts the build. */
  readonly signal: AbortSignal;
}

/** @returns a line for the start */
export async function seedMicro(
  images: ServiceClient,
  admin: Actor,
  options: MicroOptions,
): Promise<string> {
  if (await isThere(images, admin)) return 'there';
  const path = await builtImage(options);
  await upload(images, admin, path);
  return 'built from Debian packages';
}

/** An image that an earlier start left unfinished is removed. */
async function isThere(images: ServiceClient, actor: Actor): Promise<boolean> {
  const { body } = await images.send({
    path: '/v2/images',
    query: { name: 'micro', visibility: 'public' },
    actor,
  });
  const found = (body as { images: readonly { id: string; status: string }[] }).images;
  if (found.some(({ status }) => status === 'active')) return true;
  for (const { id } of found)
    await images.send({ method: 'DELETE', path: `/v2/images/${id}`, actor });
  return false;
}

async function builtImage(options: MicroOptions): Promise<string> {
  const { guestImageDir, dataDir, say, signal } = options;
  const path = join(dataDir, 'micro.qcow2');
  for (const known of [path, PREPARED]) if (await isReadable(known)) return known;
  say('Building the guest image micro from Debian packages …');
  await run('bash', [join(guestImageDir, 'build.sh'), path], { timeout: BUILD_LIMIT_MS, signal });
  return path;
}

function isReadable(path: string): Promise<boolean> {
  return access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
}

async function upload(images: ServiceClient, actor: Actor, path: string): Promise<void> {
  const { body } = await images.create({
    path: '/v2/images',
    actor,
    json: {
      name: 'micro',
      disk_format: 'qcow2',
      container_format: 'bare',
      visibility: 'public',
      min_ram: 96,
    },
  });
  const { id } = body as { id: string };
  await images.send({
    method: 'PUT',
    path: `/v2/images/${id}/file`,
    actor,
    headers: { 'Content-Type': 'application/octet-stream' },
    stream: createReadStream(path),
  });
}
