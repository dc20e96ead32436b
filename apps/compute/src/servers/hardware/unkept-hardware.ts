/**
 * What flavors and images ask of a host that QEMU by itself does not give: a server that relied on it
 * would be another than its owner thinks, so it is refused, as by a host of Nova's without it. Pure.
 */
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { isYes, type Texts } from './hardware-values.js';

/** Whether a value asks for what there is. */
type Kept = (value: string) => boolean;

const NEVER: Kept = () => false;
const NOT_ASKED: Kept = (value) => !isYes(value);
const only =
  (...values: readonly string[]): Kept =>
  (value) =>
    values.includes(value);

/** By the names of extra specs; of images, the same with `_` for `:`. */
const UNKEPT: Readonly<Record<string, Kept>> = {
  'accel:device_profile': NEVER,
  'hw:cpu_policy': only('shared'),
  'hw:cpu_realtime': NOT_ASKED,
  'hw:cpu_thread_policy': only('prefer'),
  'hw:ephemeral_encryption': NOT_ASKED,
  'hw:locked_memory': NOT_ASKED,
  'hw:mem_encryption': NOT_ASKED,
  'hw:mem_page_size': only('small', 'any'),
  'hw:numa_nodes': only('1'),
  'hw:pmem': NEVER,
  'hw:sound_model': NEVER,
  'hw:tpm_version': NEVER,
  'hw:viommu_model': NEVER,
  'os:secure_boot': only('disabled', 'optional'),
  'pci_passthrough:alias': NEVER,
};

/** @throws InvalidInputError naming the first */
export function refuseUnkept(image: Texts, flavor: Texts): void {
  for (const [name, isKept] of Object.entries(UNKEPT)) {
    const property = name.replace(':', '_');
    for (const [key, value] of [
      [name, flavor[name]],
      [property, image[property]],
    ] as const) {
      if (value !== undefined && !isKept(value))
        throw new InvalidInputError(`Invalid input: ${key} '${value}' is not offered.`);
    }
  }
}
