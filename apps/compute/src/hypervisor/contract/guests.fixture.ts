/** Guests of one test, removed after it. */
import { afterEach, beforeAll } from '@jest/globals';
import type { BootImage } from '../boot-image.js';
import type { GuestSpec } from '../ports/guest-spec.js';
import {
  cache,
  expectGreetings,
  guestFrom,
  imageOf,
  type HypervisorHarness,
} from './harness.fixture.js';

export interface ContractGuests {
  /** Without a disk; its image is cached. */
  readonly unmade: (spec?: Partial<GuestSpec>) => GuestSpec;
  readonly withDisk: (spec?: Partial<GuestSpec>) => Promise<GuestSpec>;
  /** Has greeted once. */
  readonly booted: (spec?: Partial<GuestSpec>) => Promise<GuestSpec>;
}

/** Called within `describe`. */
export function contractGuests(harness: () => HypervisorHarness): ContractGuests {
  let image: BootImage;
  const made: string[] = [];

  beforeAll(async () => {
    const { driver, bootImage } = harness();
    image = await cache(driver, imageOf(bootImage));
  });

  afterEach(async () => {
    for (const guestId of made.splice(0)) await harness().driver.guests.destroy(guestId);
  });

  function unmade(spec: Partial<GuestSpec> = {}): GuestSpec {
    return guestFrom(image, spec);
  }

  async function withDisk(spec: Partial<GuestSpec> = {}): Promise<GuestSpec> {
    const guest = unmade(spec);
    made.push(guest.id);
    await harness().driver.disks.ensureDisk(guest);
    return guest;
  }

  async function booted(spec: Partial<GuestSpec> = {}): Promise<GuestSpec> {
    const guest = await withDisk(spec);
    await harness().driver.machines.ensureRunning(guest);
    await expectGreetings(harness(), guest.id, 1);
    return guest;
  }

  return { unmade, withDisk, booted };
}
