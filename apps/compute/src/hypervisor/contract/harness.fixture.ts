/** The contract suite's demands on a driver's world, and its common parts. */
import { createHash, randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { BootImage, OpenImage } from '../boot-image.js';
import type { HypervisorError, HypervisorErrorKind } from '../hypervisor-error.js';
import type { GuestNic } from '../ports/guest-nic.js';
import type { GuestSpec } from '../ports/guest-spec.js';
import type { GuestState, HypervisorDriver } from '../hypervisor-driver.js';
import { waitUntil } from '../wait-until.js';

export interface HypervisorHarness {
  readonly driver: HypervisorDriver;
  /** Another driver over the same host, as after a restart of compute, or in a second process. */
  readonly reopen: () => Promise<HypervisorDriver>;
  /** Ends a guest's machine from outside, as the kernel does when memory runs out. */
  readonly killMachine: (guestId: string) => Promise<void>;
  /** A raw disk whose guest writes `greeting` at every boot, and obeys the power button. */
  readonly bootImage: Uint8Array;
  readonly greeting: string;
  /** Ends all machines and removes all files. */
  readonly close: () => Promise<void>;
}

/** An image of the images service, and its data. */
export interface UploadedImage {
  readonly image: BootImage;
  readonly open: OpenImage;
}

/** A raw image, unless `facts` say otherwise, that arrives in chunks. */
export function imageOf(content: Uint8Array, facts: Partial<BootImage> = {}): UploadedImage {
  const middle = Math.floor(content.length / 2);
  const parts = [content.subarray(0, middle), content.subarray(middle)];
  // oxlint-disable-next-line typescript/require-await -- a stream is asynchronous
  async function* stream(): AsyncGenerator<Uint8Array> {
    yield* parts.filter((part) => part.length > 0);
  }
  const sha512 = createHash('sha512').update(content).digest('hex');
  return {
    image: { id: randomUUID(), diskFormat: 'raw', sha512, ...facts },
    open: () => Promise.resolve(stream()),
  };
}

/** An image whose download breaks off after half of `content`. */
export function brokenImage(content: Uint8Array): UploadedImage {
  // oxlint-disable-next-line typescript/require-await -- a stream is asynchronous
  async function* stream(): AsyncGenerator<Uint8Array> {
    yield content.subarray(0, content.length / 2);
    throw new Error('connection reset by peer');
  }
  return { ...imageOf(content), open: () => Promise.resolve(stream()) };
}

export async function cache(
  driver: HypervisorDriver,
  { image, open }: UploadedImage,
): Promise<BootImage> {
  await driver.images.putBaseImage(image, open);
  return image;
}

/** A small guest with its own id, booted from `image`. */
export function guestFrom(image: BootImage, spec: Partial<GuestSpec> = {}): GuestSpec {
  return {
    id: randomUUID(),
    vcpus: 1,
    memoryMb: 64,
    diskGb: 1,
    image,
    nics: [],
    configDrive: { metaData: { uuid: randomUUID(), hostname: 'contract' } },
    ...spec,
  };
}

/** A NIC with nothing but DHCP behind it. */
export function isolatedNic(nic: Partial<GuestNic> = {}): GuestNic {
  const link = { kind: 'isolated' } as const;
  const id = randomUUID();
  return { id, position: 0, macAddress: 'fa:16:3e:00:00:01', mtu: 1500, link, ...nic };
}

export async function expectFailure(
  call: Promise<unknown>,
  kind: HypervisorErrorKind,
  message: RegExp | string = '',
): Promise<void> {
  const failure: Partial<HypervisorError> = {
    name: 'HypervisorError',
    kind,
    message: expect.stringMatching(message) as unknown as string,
  };
  await expect(call).rejects.toMatchObject(failure);
}

/** Ends tests that hang; a guest boots slowly on a busy machine. */
export const PATIENCE_MS = 60_000;

export async function expectState(
  driver: HypervisorDriver,
  guestId: string,
  state: GuestState,
): Promise<void> {
  await waitUntil(async () => (await driver.machines.state(guestId)) === state, PATIENCE_MS);
  expect(await driver.machines.state(guestId)).toBe(state);
}

/** Waits until the guest has greeted `times` times since its creation. */
export async function expectGreetings(
  harness: HypervisorHarness,
  guestId: string,
  times: number,
): Promise<void> {
  const count = async (): Promise<number> =>
    (await harness.driver.consoles.consoleOutput(guestId)).split(harness.greeting).length - 1;
  await waitUntil(async () => (await count()) >= times, PATIENCE_MS);
  expect(await count()).toBe(times);
}
