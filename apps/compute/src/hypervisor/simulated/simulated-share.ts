/** Shared by the parts of a simulated driver: its world, its faults, and its guests. */
import { imageName, type BootImage } from '../boot-image.js';
import { requireGuestId, type GuestSpec } from '../ports/guest-spec.js';
import { findGuestImages, type CachedImage, type GuestImages } from '../guest-images.js';
import type { HypervisorMethod, HostDescription } from '../hypervisor-driver.js';
import { HypervisorError } from '../hypervisor-error.js';
import type { ScriptedFaults } from './scripted-faults.js';
import type { SimulatedGuest, SimulatedWorld } from './simulated-world.js';
import type { Terminals } from './terminals.js';

export interface SimulatedShare {
  readonly world: SimulatedWorld;
  /** Every method of every part begins with `before`. */
  readonly faults: ScriptedFaults<HypervisorMethod>;
  readonly resources: Pick<HostDescription, 'vcpus' | 'memoryMb' | 'diskGb'>;
  readonly terminals: Terminals;
  /** Characters of console output kept per guest. */
  readonly consoleBytes: number;
}

/** Undefined if the host does not know the guest. */
export function findGuest({ world }: SimulatedShare, guestId: string): SimulatedGuest | undefined {
  requireGuestId(guestId);
  return world.guests.get(guestId);
}

/** Keeps a guest's serial output, and shows it to open consoles. */
export function writeConsole(
  { world, terminals, consoleBytes }: SimulatedShare,
  guestId: string,
  text: string,
): void {
  const guest = world.guest(guestId);
  guest.console = (guest.console + text).slice(-consoleBytes);
  terminals.write(guestId, text);
}

export function findImages(
  share: SimulatedShare,
  guest: GuestSpec,
): Promise<GuestImages<CachedImage>> {
  return findGuestImages(guest, (image) => findImage(share, image));
}

export function findImage(
  { world }: SimulatedShare,
  image: BootImage,
): Promise<CachedImage | undefined> {
  return Promise.resolve(world.useImage(imageName(image)));
}

export function requireSameImage(known: SimulatedGuest, guest: GuestSpec): void {
  if (known.disk === undefined || imageName(known.disk.image) === imageName(guest.image)) return;
  throw new HypervisorError('bug', 'The disk of the server was made from another image.');
}
