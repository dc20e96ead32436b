/** The README's session, its first bucket and a first stack, against docker-compose.yml. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { S3World } from '../s3-clients/s3-world.js';
import { ComposeCloud } from '../support/compose-cloud.js';
import { eventually } from '../support/eventually.js';
import { OpenStackClient } from '../support/openstack-client.js';
import { outputOf } from '../support/run-program.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;
const MICRO = '/usr/share/cumulet/micro.qcow2';

/** All that keep what they have in Postgres and volumes. */
const STATELESS = [
  'identity',
  'images',
  'network',
  'secrets',
  'loadbalancer',
  'orchestration',
  'clusters',
  's3',
  'compute-api',
];

interface Image {
  readonly name: string;
  readonly status: string;
}

describe('a cloud of containers', () => {
  let cloud: ComposeCloud;
  let openstack: OpenStackClient;

  beforeAll(async () => {
    cloud = await ComposeCloud.start();
    openstack = await OpenStackClient.install(cloud.cloudsYaml, 'cumulet');
  }, 20 * MINUTES);
  afterAll(() => cloud.remove(), 5 * MINUTES);

  it(
    'boots a server from an image that was uploaded, and shows its console',
    async () => {
      const file = join(cloud.folder, 'micro.qcow2');
      const [seeds = ''] = await cloud.containers('seeds');
      await outputOf('docker', ['cp', `${seeds}:${MICRO}`, file]);
      const image = await openstack.json<Image>(
        ...words`image create --file ${file} --disk-format qcow2 --container-format bare mine`,
      );
      expect(image).toMatchObject({ name: 'mine', status: 'active' });
      const server = await openstack.json<{ status: string }>(
        ...words`server create --image mine --flavor m1.nano --nic none --wait first`,
      );
      expect(server.status).toBe('ACTIVE');
      await eventually('its login is on the console', 5 * MINUTES, async () => {
        const output = await openstack.text(...words`console log show first`);
        return output.includes('first login:') || undefined;
      });
      await openstack.text(...words`server stop first`);
      await openstack.text(...words`server delete --wait first`);
      expect(await cloud.guestProcesses()).toEqual([]);
    },
    15 * MINUTES,
  );

  it(
    "keeps objects for Amazon's client",
    async () => {
      const world = await S3World.of(openstack, cloud.s3Url);
      const aws = (command: readonly string[]): Promise<string> => world.python3('aws', command);
      await aws(words`s3 mb s3://backups`);
      await aws(words`s3 sync tree s3://backups/kept`);
      await aws(words`s3 sync s3://backups/kept back`);
      expect(await world.difference('tree', 'back')).toBe('');
      await aws(words`s3 rb --force s3://backups`);
      await world.remove();
    },
    10 * MINUTES,
  );

  it(
    'has three processes of each stateless service, all of which answer',
    async () => {
      await cloud.up(Object.fromEntries(STATELESS.map((service) => [service, 3])));
      for (const service of STATELESS) {
        const ids = await cloud.containers(service);
        expect(ids).toHaveLength(3);
        await eventually(`${service} is healthy`, 5 * MINUTES, async () => {
          const format = '{{.State.Health.Status}}';
          const states = await outputOf('docker', ['inspect', '--format', format, ...ids]);
          return states.trim() === 'healthy\nhealthy\nhealthy' || undefined;
        });
      }
      expect(await openstack.json(...words`server list`)).toEqual([]);
    },
    20 * MINUTES,
  );

  it('runs nothing as root but hosts', async () => {
    const ids = (await cloud.done('ps', '--quiet')).trim().split('\n');
    const rooted: string[] = [];
    for (const id of ids) {
      const top = await outputOf('docker', ['top', id, '-eo', 'uid,args']).catch(() => '');
      const name = await outputOf('docker', ['inspect', '--format', '{{.Name}}', id]);
      if (/^\s*0 /m.test(top)) rooted.push(name.trim());
    }
    expect(rooted).toEqual([expect.stringMatching(/[_-]host[_-]1$/)]);
  });
});
