/**
 * Servers of a Debian cloud image with real cloud-init, on QEMU and OVN: one is once configured by its
 * config drive, once by the metadata service, and tells of itself on its console; those of a stack
 * signal its wait condition. A processor that is emulated takes minutes for each boot.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { withCloud } from '../support/cloud-with-users.js';
import { eventually } from '../support/eventually.js';
import { exampleStack, settledStack } from '../support/example-stacks.js';
import type { OpenStackClient } from '../support/openstack-client.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;
const FETCH_LIMIT_MS = 4_000;
const BUILD = fileURLToPath(new URL('../../scripts/debian-image/build.sh', import.meta.url));

/** After its first boot it asks the metadata service alone, as if it had been created anew. */
const USER_DATA = `#cloud-config
runcmd:
  - |
    say() { echo "guest: $*" >/dev/ttyS0; }
    say "source $(cloud-init query subplatform)"
    say "name $(hostname)"
    say "key $(cut -d' ' -f2 /home/debian/.ssh/authorized_keys)"
    say "disk $(df --output=size -BM / | tail -n1 | tr -dc 0-9)"
    say "done"
    case $(cloud-init query subplatform) in config-disk*)
      echo 'datasource_list: [OpenStack]' >/etc/cloud/cloud.cfg.d/99_datasource.cfg
      rm /home/debian/.ssh/authorized_keys
      hostname forgotten; rm /etc/hostname
      cloud-init clean --logs
      reboot
    esac
`;

let demo: OpenStackClient;
let folder: string;

withCloud({ COMPUTE_HYPERVISOR: 'qemu', NETWORK_DATA_PLANE: 'ovn' }, async (started) => {
  ({ demo } = started);
  await demo.text(...words`network create inside`);
  await demo.text(...words`subnet create --network inside --subnet-range 10.20.0.0/24 inside-v4`);
  await demo.text(...words`keypair create mine`);
});

/** The image is built unless CUMULET_DEBIAN_IMAGE names one. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cumulet-cloud-init-'));
  const built = join(folder, 'debian.qcow2');
  const image = process.env['CUMULET_DEBIAN_IMAGE'] ?? built;
  if (image === built) await promisify(execFile)('bash', [BUILD, built]);
  await demo.text(
    ...words`image create --disk-format qcow2 --property hw_qemu_guest_agent=yes --file ${image} debian`,
  );
}, 10 * MINUTES);

afterAll(() => rm(folder, { recursive: true }));

/** What it has said of each of its boots. */
async function said(): Promise<Record<string, string>[]> {
  const log = await demo.text(...words`console log show debian`);
  const boots: Record<string, string>[] = [{}];
  for (const [, name = '', value = ''] of log.matchAll(/guest: (\w+) ?([^\r\n]*)/g)) {
    Object.assign(boots.at(-1) ?? {}, { [name]: value });
    if (name === 'done') boots.push({});
  }
  return boots.slice(0, -1);
}

const boot = (number: number): Promise<Record<string, string>> =>
  eventually(`boot ${number} is done`, 15 * MINUTES, async () => (await said())[number - 1]);

it.each([
  [1, 'its config drive', 'config-disk (/dev/vdb)'],
  [2, 'the metadata service', 'metadata (http://169.254.169.254)'],
])(
  'boot %i is configured by %s',
  async (number, _, source) => {
    if (number === 1) {
      const userData = join(folder, 'user-data');
      await writeFile(userData, USER_DATA);
      await demo.text(
        ...words`server create --flavor m1.small --image debian --network inside --key-name mine`,
        ...words`--user-data ${userData} --wait debian`,
      );
    }
    const told = await boot(number);
    const key = (await demo.text(...words`keypair show --public-key mine`)).split(' ')[1];
    expect(told).toMatchObject({ source, name: 'debian', key: key?.trim() });
    // The image has 2 GiB, the flavor 20.
    expect(Number(told['disk'])).toBeGreaterThan(19_000);
  },
  20 * MINUTES,
);

it(
  'the agent in it sets a password',
  async () => {
    await eventually('the agent answers', 5 * MINUTES, () =>
      demo.text(...words`server set --password horse debian`).then(
        () => true,
        () => undefined,
      ),
    );
  },
  6 * MINUTES,
);

it(
  'a stack waits for what the scripts of its servers say, which then serve in turn',
  async () => {
    await demo.text(...words`server delete --wait debian`);
    await demo.text(
      ...words`stack create --template ${exampleStack('two-servers')} two`,
      ...words`--parameter image=debian --parameter flavor=m1.small --parameter patience=2400`,
    );
    expect(await settledStack(demo, 'two', 45 * MINUTES)).toBe('CREATE_COMPLETE');
    const { output_value: url } = await demo.json<Record<string, unknown>>(
      ...words`stack output show two url`,
    );
    const texts = new Set<string>();
    await eventually('both servers answer', 5 * MINUTES, async () => {
      const signal = AbortSignal.timeout(FETCH_LIMIT_MS);
      const response = await fetch(String(url), { signal }).catch(() => undefined);
      if (response?.ok) texts.add((await response.text()).trim());
      return texts.size === 2 || undefined;
    });
    expect([...texts].sort()).toEqual(['Hello', 'Welcome']);
    await demo.text(...words`stack delete --yes two`);
    expect(await settledStack(demo, 'two', 5 * MINUTES)).toBeUndefined();
    expect(await demo.json<unknown[]>(...words`server list`)).toEqual([]);
  },
  60 * MINUTES,
);
