/** Images and servers of a project, through the APIs. */
import { asBearer, type Actor } from '@cumulet/clients/http/actor';
import { ServiceClient } from '@cumulet/clients/http/service-client';

export interface Wanted {
  /** How many, of each. */
  readonly count: number;
  /** What their names begin with. */
  readonly name: string;
}

/** Images of which one is bootable, and running servers of that. @returns the id of a server */
export async function createServers(
  url: string,
  token: string,
  { count, name }: Wanted,
): Promise<string> {
  const images = new ServiceClient({ service: 'images', baseUrl: `${url}/image` });
  const compute = new ServiceClient({ service: 'compute', baseUrl: `${url}/compute` });
  const actor = asBearer(token);
  const create = (image: string): ReturnType<ServiceClient['send']> =>
    images.send({
      method: 'POST',
      path: '/v2/images',
      actor,
      json: { name: image, disk_format: 'raw', container_format: 'bare', os_distro: 'bench' },
    });
  for (let at = 1; at < count; at += 1) await create(`${name}-${at}`);
  const created = await create(name);
  const { id: imageRef } = created.body as { id: string };
  await fetch(`${url}/image/v2/images/${imageRef}/file`, {
    method: 'PUT',
    headers: { 'X-Auth-Token': token, 'Content-Type': 'application/octet-stream' },
    body: bootSector(),
  });
  for (let at = 0; at < count; at += 1) {
    await compute.send({
      method: 'POST',
      path: '/servers',
      actor,
      json: {
        server: { name: `${name}-${at}`, imageRef, flavorRef: '42', metadata: { role: 'bench' } },
      },
    });
  }
  return waitUntilActive(compute, actor, count);
}

async function waitUntilActive(
  compute: ServiceClient,
  actor: Actor,
  count: number,
): Promise<string> {
  for (;;) {
    const { body } = await compute.send({
      path: '/servers/detail',
      query: { status: 'ACTIVE' },
      actor,
    });
    const { servers } = body as { servers: readonly { id: string }[] };
    const [first] = servers;
    if (servers.length === count && first) {
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
