/**
 * Tries an image of a node without a cloud: a master and a worker in QEMU, what runs on them, and how long it took.
 *
 *     node apps/clusters/node-image/try/try.mjs IMAGE.qcow2 KUBECTL [--masters 2] [--restart] [--rotate] [--keep]
 *
 * KUBECTL is a program that acts as kubectl when it is called so. `--restart` pulls
 * the plug of all nodes, `--rotate` gives the cluster new authorities, `--keep` leaves it running until a signal.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { ClustersService } from './clusters-service.mjs';
import { FIRST_ADDRESS, Guest, SERVICE } from './guest.mjs';
import { check, checkAgain } from './checks.mjs';
import { Switch } from './switch.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    keep: { type: 'boolean' },
    restart: { type: 'boolean' },
    rotate: { type: 'boolean' },
    masters: { type: 'string', default: '1' },
    vcpus: { type: 'string', default: '2' },
  },
});
const [image, program] = positionals.map((path) => resolve(path));
const folder = mkdtempSync(join(tmpdir(), 'node-image-'));
const apiPort = 20_000 + Math.floor(Math.random() * 10_000);
const network = new Switch();
const switchPort = await network.listen();
const start = performance.now();
const seconds = () => `${((performance.now() - start) / 1000).toFixed(0).padStart(4)} s`;
const say = (text) => console.log(`${seconds()}  ${text}`);

const said = new Map();
const service = new ClustersService(folder, (name, report) => {
  const words = `${report.phase} ${report.status} ${report.message} ${JSON.stringify(report.addons ?? '')} etcd ${report.etcd}`;
  if (said.get(name) !== words) say(`${name}: ${words}`);
  said.set(name, words);
});
const servicePort = await service.listen();
const guests = [];

function boot(role, number, { vcpus, memoryMb, founder = false, onAddress }) {
  const name = `try-${role}-${number}`;
  const node = {
    id: randomUUID(),
    name,
    role,
    token: randomBytes(16).toString('hex'),
    founder,
    onAddress,
  };
  service.addNode(node);
  const guest = new Guest(folder, image, {
    name,
    vcpus,
    memoryMb,
    mac: String(10 + guests.length),
    switchPort,
    ...(founder ? { router: { apiPort, servicePort } } : {}),
  });
  guests.push(guest);
  const lines = {
    CUMULET_CLUSTERS_URL: `http://${SERVICE}`,
    CUMULET_CLUSTER_ID: 'try',
    CUMULET_NODE_ID: node.id,
    CUMULET_NODE_NAME: name,
    CUMULET_NODE_ROLE: role,
    CUMULET_NODE_TOKEN: node.token,
    CUMULET_API_URL: `https://${FIRST_ADDRESS}:6443`,
  };
  const env = Object.entries(lines).map(([key, value]) => `      ${key}=${value}`);
  guest.start(
    [
      '#cloud-config',
      'write_files:',
      '  - path: /etc/cumulet/node.env',
      "    permissions: '0600'",
      '    content: |',
      ...env,
      '',
    ].join('\n'),
  );
  say(`${name} starts`);
  return guest;
}

async function finish(code) {
  await Promise.all(guests.map((guest) => guest.stop()));
  service.close();
  network.close();
  if (!values.keep) rmSync(folder, { recursive: true, force: true });
  process.exit(code);
}
process.on('SIGINT', () => void finish(130));
process.on('SIGTERM', () => void finish(143));

/** Others wait until the first guest has an address, which is the API's. */
await new Promise((done) =>
  boot('master', 0, {
    vcpus: Number(values.vcpus),
    memoryMb: 2048,
    founder: true,
    onAddress: done,
  }),
);
for (let number = 1; number < Number(values.masters); number++)
  boot('master', number, { vcpus: Number(values.vcpus), memoryMb: 2048 });
boot('worker', 0, { vcpus: 1, memoryMb: 1024 });

/** As an administrator of the cluster's current CA. */
function administrate() {
  const { ca, certificate, key } = service.administrator();
  const texts = { 'ca.crt': ca, 'admin.crt': certificate, 'admin.key': key };
  for (const [name, text] of Object.entries(texts))
    writeFileSync(join(folder, name), text, { mode: 0o600 });
}

administrate();
const kubectl = join(folder, 'kubectl');
symlinkSync(program, kubectl);
const options = [
  `--cache-dir=${folder}/cache`,
  `--server=https://127.0.0.1:${apiPort}`,
  `--certificate-authority=${folder}/ca.crt`,
  `--client-certificate=${folder}/admin.crt`,
  `--client-key=${folder}/admin.key`,
];
say(`${kubectl} ${options.join(' ')}`);
const names = guests.map(({ options: { name } }) => name);
const trial = { kubectl, options, say, service, nodes: names };
try {
  await check(trial);
  if (values.restart) {
    await Promise.all(guests.map((guest) => guest.stop()));
    service.reports.clear();
    for (const guest of guests) guest.start();
    say('all nodes start again, with their disks');
    await checkAgain(trial);
  }
  if (values.rotate) {
    service.rotate();
    administrate();
    say('the CA is rotated');
    await checkAgain(trial);
  }
} catch (error) {
  say(`FAILED: ${error.message}`);
  if (!values.keep) await finish(1);
}
if (!values.keep) await finish(0);
