/** Consoles of a real guest, in a real browser: a line is typed into each, and its answer is read. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { builtMicro, MICRO_BUILD_TIMEOUT_MS } from '@cumulet/testing/micro-image';
import { eventually } from '@cumulet/testing/settle';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';
import { QemuWorld } from '../hypervisor/contract/qemu-world.fixture.js';
import { Browser } from './browser.fixture.js';
import { ConsoleClient } from './console-client.fixture.js';

const BOOT_TIMEOUT_MS = 120_000;

let world: QemuWorld;
let compute: ComputeFixture;
let browser: Browser;
let id: string;

beforeAll(async () => {
  world = await QemuWorld.open(process.env['PATH']);
  compute = await startCompute({ driver: world.driver });
  browser = await Browser.start(process.env['PATH']);
  const imageRef = compute.images.add({ diskFormat: 'qcow2' }, await readFile(await builtMicro()));
  id = await compute.buildServer({ name: 'micro', imageRef, adminPass: 'horse' });
  await eventually('it has booted', async () => (await output()).includes('micro login:'));
}, MICRO_BUILD_TIMEOUT_MS + BOOT_TIMEOUT_MS);

afterAll(async () => {
  await browser.close();
  await compute.stop();
  await world.close();
});

const output = (): Promise<string> => world.driver.consoles.consoleOutput(id);

async function urlOf(protocol: string, type: string): Promise<string> {
  const response = await compute.client.post(`/servers/${id}/remote-consoles`, {
    token: compute.token,
    headers: { 'OpenStack-API-Version': 'compute 2.6' },
    body: { remote_console: { protocol, type } },
  });
  return (response.body as { remote_console: { url: string } }).remote_console.url;
}

/** The text on the terminal. */
const SCREEN = `(() => {
  const { active } = window.terminal.buffer;
  const lines = Array.from({ length: active.length }, (_, at) => active.getLine(at).translateToString(true));
  return lines.join('\\n');
})()`;

it(
  'the serial console takes a line from a WebSocket, and from the page of a browser',
  async () => {
    const client = await ConsoleClient.open(await urlOf('serial', 'serial'));
    client.type('root\r');
    await client.shows('Password:');
    client.type('horse\r');
    await client.shows('# ');
    client.type('echo $((6 * 7)) of a socket\r');
    await client.shows('42 of a socket');

    await browser.open((await urlOf('serial', 'serial')).replace('ws:', 'http:'));
    await browser.until(`document.getElementById('status').textContent.startsWith('Connected')`);
    await browser.type('expr 5999\n');
    await browser.until(`/^5999$/m.test(${SCREEN})`);
    // Both readers receive all of it, and it is kept.
    await client.shows('\r\n5999\r\n');
    client.close();
    await eventually('it is kept', async () => (await output()).includes('\r\n5999\r\n'));
    expect(await browser.valueOf('location.search')).toBe('');
  },
  BOOT_TIMEOUT_MS,
);

/** Whether a point of the screen is lit. */
const IS_LIT = `(() => {
  const canvas = document.querySelector('canvas');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return data.some((value, at) => at % 4 !== 3 && value > 100);
})()`;

it(
  'the screen is shown by noVNC, and its keys reach the guest',
  async () => {
    await browser.open(await urlOf('vnc', 'novnc'));
    await browser.until(`document.getElementById('status').textContent === 'Connected.'`);
    await browser.until(IS_LIT);
    const boots = async (): Promise<number> => (await output()).split('micro login:').length;
    const before = await boots();
    await browser.valueOf('window.rfb.sendCtrlAltDel()');
    await eventually('it boots again', async () => (await boots()) > before, BOOT_TIMEOUT_MS);
  },
  BOOT_TIMEOUT_MS,
);

it('the diagnostics have the statistics of the real machine', async () => {
  const { cpus, disks, ...rest } = await world.driver.machines.diagnostics(id);
  expect(cpus[0]?.time).toBeGreaterThan(0);
  expect(disks[0]?.readBytes).toBeGreaterThan(1024 ** 2);
  expect(disks[0]?.errors).toBe(0);
  expect(rest.memoryUsedKb).toBeGreaterThan(1024);
  expect(rest.uptimeSeconds).toBeGreaterThan(0);
});
