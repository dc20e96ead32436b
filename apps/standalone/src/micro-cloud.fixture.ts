/** A cloud with real guests of QEMU on OVN, and the project `demo` as its client. */
import { readFile } from 'node:fs/promises';
import { builtMicro } from '@cumulet/testing/micro-image';
import { eventually } from '@cumulet/testing/settle';
import { SERVICES } from './services.js';
import { startTestCloud, type TestCloud } from './test-cloud.fixture.js';

/** Ends what hangs: guests that boot side by side on a busy machine take minutes. */
const BOOT_TIMEOUT_MS = 400_000;
const SERVERS = '/compute/v2.1/servers';

export class MicroCloud {
  readonly #headers = { 'OpenStack-API-Version': 'compute 2.70, container-infra 1.14' };

  private constructor(
    private readonly cloud: TestCloud,
    private readonly token: string,
    /** The id of the micro guest's. */
    readonly image: string,
  ) {}

  /** @param properties of the micro image */
  static async start(properties: Readonly<Record<string, string>> = {}): Promise<MicroCloud> {
    const path = await builtMicro();
    const cloud = await startTestCloud(SERVICES, {
      COMPUTE_HYPERVISOR: 'qemu',
      NETWORK_DATA_PLANE: 'ovn',
    });
    const token = await cloud.login('demo', cloud.secrets.demoPassword);
    const disk = await readFile(path);
    const id = await uploaded(
      cloud,
      token,
      { name: 'micro', disk_format: 'qcow2', ...properties },
      disk,
    );
    return new MicroCloud(cloud, token, id);
  }

  /** @returns the id of an image of the project's own */
  upload(fields: Readonly<Record<string, string>>, data: Buffer): Promise<string> {
    return uploaded(this.cloud, this.token, fields, data);
  }

  /** Guests outlive the cloud: those of a test that has failed, too. */
  async stop(): Promise<void> {
    for (const { id } of await this.get<{ id: string }[]>(SERVERS)) await this.deleteServer(id);
    await this.untilNoServers();
    await this.cloud.stop();
  }

  /** @returns what the body's one key holds; throws for another status than one of success */
  async create<T = { id: string }>(path: string, body: object): Promise<T> {
    const { token } = this;
    const answer = await this.cloud.client.post(path, { token, headers: this.#headers, body });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
    return Object.values((answer.body ?? {}) as Record<string, T>)[0] as T;
  }

  /** @returns what the body's one key holds; throws for another status than one of success */
  async get<T>(path: string): Promise<T> {
    return Object.values(await this.whole<Record<string, T>>(path))[0] as T;
  }

  /** @returns the body; throws for another status than one of success */
  async whole<T>(path: string): Promise<T> {
    const { token } = this;
    const answer = await this.cloud.client.get(path, { token, headers: this.#headers });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
    return answer.body as T;
  }

  async delete(path: string): Promise<void> {
    await this.cloud.client.delete(path, { token: this.token });
  }

  /** @returns a network with one subnet */
  async network(name: string, cidr: string): Promise<{ id: string }> {
    const network = await this.create('/networking/v2.0/networks', { network: { name } });
    const subnet = { network_id: network.id, cidr, ip_version: 4 };
    await this.create('/networking/v2.0/subnets', { subnet });
    return network;
  }

  /** A security group that lets in TCP to this port alone. */
  async openGroup(name: string, port: number): Promise<void> {
    const group = await this.create('/networking/v2.0/security-groups', {
      security_group: { name },
    });
    await this.create('/networking/v2.0/security-group-rules', {
      security_group_rule: {
        security_group_id: group.id,
        direction: 'ingress',
        ethertype: 'IPv4',
        protocol: 'tcp',
        port_range_min: port,
        port_range_max: port,
      },
    });
  }

  /**
   * @param script lines of shell that the guest runs
   * @param more of its body
   * @returns its id
   */
  async server(name: string, script: string[], more: object): Promise<string> {
    const userData = Buffer.from(['#!/bin/sh', ...script, ''].join('\n')).toString('base64');
    const server = { name, imageRef: this.image, flavorRef: '1', user_data: userData, ...more };
    return (await this.create(SERVERS, { server })).id;
  }

  async deleteServer(id: string): Promise<void> {
    await this.delete(`${SERVERS}/${id}`);
  }

  async untilNoServers(): Promise<void> {
    const none = async (): Promise<boolean> => (await this.get<object[]>(SERVERS)).length === 0;
    await eventually('the servers are gone', none, BOOT_TIMEOUT_MS);
  }

  /** @returns the ids of those of servers */
  async serverPorts(): Promise<string[]> {
    const ports = await this.get<{ id: string; device_owner: string }[]>('/networking/v2.0/ports');
    return ports
      .filter(({ device_owner: owner }) => owner.startsWith('compute:'))
      .map(({ id }) => id);
  }

  async consoleOf(id: string): Promise<string> {
    const { body } = await this.cloud.client.post(`${SERVERS}/${id}/action`, {
      token: this.token,
      body: { 'os-getConsoleOutput': {} },
    });
    return (body as { output?: string }).output?.replaceAll('\r', '') ?? '';
  }

  /** Waits for a text on a server's console. */
  async shows(id: string, text: string): Promise<void> {
    const isThere = async (): Promise<boolean> => (await this.consoleOf(id)).includes(text);
    await this.until(text, isThere, id);
  }

  /**
   * @param ids of the servers that the error tells of
   * @throws Error with what their consoles and the API show instead
   */
  async until(what: string, holds: () => Promise<boolean>, ...ids: string[]): Promise<void> {
    await eventually(what, holds, BOOT_TIMEOUT_MS).catch(async (error: unknown) => {
      const shown = ids.map(async (id) =>
        [JSON.stringify(await this.get(`${SERVERS}/${id}`)), await this.consoleOf(id)].join('\n'),
      );
      throw new Error([what, ...(await Promise.all(shown))].join('\n'), { cause: error });
    });
  }
}

async function uploaded(
  { client }: TestCloud,
  token: string,
  fields: Readonly<Record<string, string>>,
  data: Buffer,
): Promise<string> {
  const made = await client.post('/image/v2/images', {
    token,
    body: { container_format: 'bare', ...fields },
  });
  const { id } = made.body as { id: string };
  await client.put(`/image/v2/images/${id}/file`, {
    token,
    headers: { 'Content-Type': 'application/octet-stream' },
    body: data,
  });
  return id;
}
