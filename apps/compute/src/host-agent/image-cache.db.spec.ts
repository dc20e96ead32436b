import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { testComputeConfig } from '../compute.fixture.js';
import { imageName, type BootImage } from '../hypervisor/boot-image.js';
import { cache, imageOf } from '../hypervisor/contract/harness.fixture.js';
import { tinyGuest } from '../hypervisor/contract/tiny-guest.fixture.js';
import { startServerWorld, type ServerWorld } from '../servers/server-world.fixture.js';
import type { Snapshot } from '../servers/snapshots/snapshot.js';
import { UnusedImagesSweep } from './image-cache.sweep.js';

let world: ServerWorld;
let image: BootImage;

beforeAll(async () => {
  world = await startServerWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  image = await cache(world.hypervisor, imageOf(tinyGuest({ text: randomUUID() })));
});

/** @param seconds of the setting @returns whether the image is still cached after a sweep */
async function isKept(seconds: number): Promise<boolean> {
  const config = { ...testComputeConfig('postgres://nowhere'), unusedImageSeconds: seconds };
  await new UnusedImagesSweep(world.hypervisor, config).run(world.ctx);
  return world.hypervisor.world.images.has(imageName(image));
}

it('evicts an image that no server of the host uses', async () => {
  await world.insert('active', { image, host: 'another' });
  expect(await isKept(0)).toBe(false);
});

it('keeps an image that was used recently', async () => {
  expect(await isKept(86_400)).toBe(true);
});

it('keeps all images if the setting says so', async () => {
  expect(await isKept(-1)).toBe(true);
});

it('keeps the image of a server that is being built, and has no disk yet', async () => {
  await world.insert('building', { image });
  expect(await isKept(0)).toBe(true);
});

it('keeps the image that a server is rescued with', async () => {
  await world.insert('active', { rescueImage: image });
  expect(await isKept(0)).toBe(true);
});

it('keeps the image of a carried disk that is not made yet', async () => {
  const snapshot = { localDisks: [{ local: 0, image: { id: image.id }, made: image }] };
  await world.insert('arriving', { snapshot: snapshot as unknown as Snapshot });
  expect(await isKept(0)).toBe(true);
});

it.each(['kernel', 'ramdisk'] as const)('keeps the %s of a server', async (part) => {
  const base = imageOf(tinyGuest({ text: 'base' })).image;
  await world.insert('stopped', { image: { ...base, [part]: image } });
  expect(await isKept(0)).toBe(true);
});
