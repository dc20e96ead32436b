/** HAProxy in a network namespace, which only root can create. */
import { runProgram } from '@cumulet/common/programs/run-program';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { balancerSpec, listenerSpec, poolSpec } from '../balancer.fixture.js';
import { get, ProxyWorld } from './haproxy.fixture.js';

const isRoot = process.getuid?.() === 0;
const NAME = `lb-test-${process.pid}`;
const place = { kind: 'namespace', name: NAME } as const;
const VIP = '198.51.100.7';

let world: ProxyWorld;

async function run(program: string, ...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runProgram(program, args, { timeoutMs: 20_000 });
  if (exitCode !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
  return stdout.toString();
}

async function makeNamespace(): Promise<void> {
  await run('ip', 'netns', 'add', NAME);
  await run('ip', '-n', NAME, 'link', 'set', 'lo', 'up');
  await run('ip', '-n', NAME, 'addr', 'add', `${VIP}/32`, 'dev', 'lo');
}

/** From within the namespace. @returns the status */
const statusOf = (url: string): Promise<string> =>
  run(
    'ip',
    'netns',
    'exec',
    NAME,
    process.execPath,
    '-e',
    // It would otherwise wait for another request on the same connection.
    `fetch('${url}').then(({ status }) => process.stdout.write(String(status), process.exit))`,
  );

beforeAll(async () => {
  world = await ProxyWorld.start();
  if (isRoot) await makeNamespace();
});
afterAll(async () => {
  await world.end();
  if (isRoot) await run('ip', 'netns', 'delete', NAME);
});

it('serves its addresses only inside its namespace, and is not whole once that is replaced', async () => {
  if (!isRoot) return;
  // The host would answer in place of its members.
  const onHost = await world.member('on-host');
  const spec = balancerSpec({
    id: 'inside',
    addresses: [VIP],
    pools: [poolSpec({ members: [onHost] })],
    listeners: [
      listenerSpec({ id: 'metrics', protocol: 'PROMETHEUS', defaultPoolId: null }),
      listenerSpec({ id: 'to-host', port: 81 }),
    ],
  });
  const isWhole = async (): Promise<boolean | undefined> =>
    (await world.dataPlane.inventory()).find(({ id }) => id === 'inside')?.isWhole;
  await world.dataPlane.apply(spec, place);
  expect(await statusOf(`http://${VIP}/metrics`)).toBe('200');
  expect(await statusOf(`http://${VIP}:81/`)).toBe('503');
  expect(await isWhole()).toBe(true);
  const worker = await world.worker('inside');
  await world.dataPlane.apply(spec, place);
  expect(await world.worker('inside')).toBe(worker);

  await run('ip', 'netns', 'delete', NAME);
  await makeNamespace();
  expect(await isWhole()).toBe(false);
  await world.dataPlane.apply(spec, place);
  expect(await statusOf(`http://${VIP}/metrics`)).toBe('200');
  expect(await isWhole()).toBe(true);

  const elsewhere = { ...spec, addresses: [`${world.prefix}.1`] };
  await world.dataPlane.apply(elsewhere, { kind: 'host' });
  expect((await get(`http://${world.prefix}.1:81/`)).status).toBe(200);
});
