/**
 * The cloud under load: every service in one process, as `npm start` runs it, with 20 servers and as
 * many images.
 */
import 'reflect-metadata';
import { asBearer, type Actor } from '@cumulet/clients/http/actor';
import { ServiceClient } from '@cumulet/clients/http/service-client';
import { footprint } from './footprint.js';
import { reportOf, type CloudFacts } from './protocol.js';
import { startBenchCloud } from './start-cloud.js';

const SERVERS = 20;
const IMAGES = 20;

/** How long the process idles before its memory is read: connections that rest are closed. */
const REST_MS = 25_000;

async function start(): Promise<CloudFacts> {
  const cloud = await startBenchCloud();
  const { url, token, projectId } = cloud;
  const serverId = await createServers(url, token);
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  return {
    kind: 'cloud',
    computeUrl: `${url}/compute/v2.1`,
    token,
    identityUrl: `${url}/identity`,
    login: JSON.stringify(cloud.login),
    serverId,
    projectId,
    imagesUrl: `${url}/image`,
    databaseUrls: [cloud.databaseUrl('compute'), cloud.databaseUrl('images')],
    idle: await footprint(cloud.databaseUrl('identity')),
  };
}

/** Images of which one is bootable, and running servers of that. @returns the id of a server */
async function createServers(url: string, token: string): Promise<string> {
  const images = new ServiceClient({ service: 'images', baseUrl: `${url}/image` });
  const compute = new ServiceClient({ service: 'compute', baseUrl: `${url}/compute` });
  const actor = asBearer(token);
  const create = (name: string): ReturnType<ServiceClient['send']> =>
    images.send({
      method: 'POST',
      path: '/v2/images',
      actor,
      json: { name, disk_format: 'raw', container_format: 'bare', os_distro: 'bench' },
    });
  for (let at = 1; at < IMAGES; at += 1) await create(`bench-${at}`);
  const created = await create('bench');
  const { id: imageRef } = created.body as { id: string };
  await fetch(`${url}/image/v2/images/${imageRef}/file`, {
    method: 'PUT',
    headers: { 'X-Auth-Token': token, 'Content-Type': 'application/octet-stream' },
    body: bootSector(),
  });
  for (let at = 0; at < SERVERS; at += 1) {
    await compute.send({
      method: 'POST',
      path: '/servers',
      actor,
      json: {
        server: { name: `bench-${at}`, imageRef, flavorRef: '42', metadata: { role: 'bench' } },
      },
    });
  }
  return waitUntilActive(compute, actor);
}

async function waitUntilActive(compute: ServiceClient, actor: Actor): Promise<string> {
  for (;;) {
    const { body } = await compute.send({
      path: '/servers/detail',
      query: { status: 'ACTIVE' },
      actor,
    });
    const { servers } = body as { servers: readonly { id: string }[] };
    const [first] = servers;
    if (servers.length === SERVERS && first) {
      await compute.close();
      return first.id;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function bootSector(): Uint8Array<ArrayBuffer> {
  const sector = new Uint8Array(512);
  sector.set([0x55, 0xaa], 510);
  return sector;
}

await reportOf(start);
