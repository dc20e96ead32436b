/**
 * The image `micro`: built from Debian packages if possible, and uploaded once as a public image of
 * the admin project. The cloud works without it.
 */
import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { asBearer, type Actor } from '@cumulet/clients/http/actor';
import { ServiceClient } from '@cumulet/clients/http/service-client';

const run = promisify(execFile);

const BUILD_SCRIPT = fileURLToPath(new URL('../guest-image/build.sh', import.meta.url));
const BUILD_LIMIT_MS = 180_000;

export interface SeedOptions {
  readonly dataDir: string;
  /** The cloud's address on this machine. */
  readonly url: string;
  readonly adminPassword: string;
  /** Reports something that takes a while. */
  readonly say: (line: string) => void;
  /** Aborts the build. */
  readonly signal: AbortSignal;
}

export interface SeededImage {
  readonly isThere: boolean;
  /** A line for the start: that the image exists, or why it does not. */
  readonly line: string;
}

export async function seedMicro(options: SeedOptions): Promise<SeededImage> {
  const identity = new ServiceClient({ service: 'identity', baseUrl: `${options.url}/identity` });
  const images = new ServiceClient({ service: 'images', baseUrl: `${options.url}/image` });
  try {
    const admin = await loggedIn(identity, options.adminPassword);
    if (await isThere(images, admin)) return { isThere: true, line: 'there' };
    const path = await builtImage(options);
    await upload(images, admin, path);
    return { isThere: true, line: 'built from Debian packages' };
  } catch (error) {
    return { isThere: false, line: `not there: ${firstLine(error)}` };
  } finally {
    await Promise.all([identity.close(), images.close()]);
  }
}

async function loggedIn(identity: ServiceClient, password: string): Promise<Actor> {
  const domain = { id: 'default' };
  const { headers } = await identity.send({
    method: 'POST',
    path: '/v3/auth/tokens',
    json: {
      auth: {
        identity: {
          methods: ['password'],
          password: { user: { name: 'admin', domain, password } },
        },
        scope: { project: { name: 'admin', domain } },
      },
    },
  });
  return asBearer(String(headers['x-subject-token']));
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

async function builtImage({ dataDir, say, signal }: SeedOptions): Promise<string> {
  const path = join(dataDir, 'micro.qcow2');
  const known = await access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
  if (known) return path;
  say('Building the guest image micro from Debian packages …');
  await run('bash', [BUILD_SCRIPT, path], { timeout: BUILD_LIMIT_MS, signal });
  return path;
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

/** A program's own message is on its standard error; the exception's only repeats the command. */
function firstLine(error: unknown): string {
  const { stderr, message } = error as Error & { stderr?: string };
  const text = stderr !== undefined && stderr.trim() !== '' ? stderr : message;
  return text.trim().split('\n').at(-1) ?? text;
}
