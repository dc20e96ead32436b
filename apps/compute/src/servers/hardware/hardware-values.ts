/** Values of image properties and extra specs, which are texts. Pure. */
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import type { CpuLimits, CpuTopology, DiskLimits } from '../../hypervisor/ports/guest-hardware.js';

export type Texts = Readonly<Record<string, string | undefined>>;

/** As oslo's `bool_from_string` reads it. */
export function isYes(text: string | undefined): boolean {
  return text !== undefined && /^(1|t|true|on|y|yes)$/i.test(text.trim());
}

/** @throws InvalidInputError unless it is a whole number of at least 0 */
export function numberOf(texts: Texts, name: string): number | undefined {
  const text = texts[name];
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text.trim())) return Number(text);
  throw new InvalidInputError(`Invalid input: ${name} '${text}' is not a number.`);
}

/** @throws InvalidInputError for any other value */
export function oneOf<Value extends string>(
  texts: Texts,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const text = texts[name];
  if (text === undefined) return undefined;
  const found = values.find((value) => value === text);
  if (found !== undefined) return found;
  throw new InvalidInputError(
    `Invalid input: ${name} '${text}' is not offered: there are ${values.join(', ')}.`,
  );
}

/**
 * A flavor's share of the host's processors. Public source: Nova admin guide, "Extra Specs", quota;
 * the bounds are the kernel's.
 */
const CPU_LIMITS: Readonly<Record<keyof CpuLimits, { spec: string; min: number; max: number }>> = {
  shares: { spec: 'quota:cpu_shares', min: 2, max: 262_144 },
  periodUs: { spec: 'quota:cpu_period', min: 1_000, max: 1_000_000 },
  quotaUs: { spec: 'quota:cpu_quota', min: 1_000, max: 2 ** 44 / 1_000 },
};

/** 0 and -1 mean no limit. @throws InvalidInputError for values that no host can enforce */
export function cpuLimitsOf(flavor: Texts): CpuLimits {
  return Object.fromEntries(
    Object.entries(CPU_LIMITS).flatMap(([limit, { spec, min, max }]) => {
      const text = flavor[spec]?.trim();
      if (text === undefined || /^(-\d+|0+)$/.test(text)) return [];
      const value = Number(text);
      if (/^\+?\d+$/.test(text) && value >= min && value <= max) return [[limit, value]];
      throw new InvalidInputError(
        `Invalid input: ${spec} '${text}' is not a whole number from ${min} to ${Math.floor(max)}.`,
      );
    }),
  );
}

/**
 * Sockets, cores and threads of a guest. Public source: Nova admin guide, "CPU topologies", and
 * `virt/hardware.py`. Pure.
 */
export type Preferred = { readonly [Part in keyof CpuTopology]?: number | undefined };

/**
 * The topology that meets most preferences; among equals, the one with the most sockets, then
 * cores.
 * @param max upper bound of each of the three
 * @returns null if none fits; undefined without preferences and limits
 */
export function topologyOf(
  vcpus: number,
  preferred: Preferred,
  max: Preferred,
): CpuTopology | null | undefined {
  if (isEmpty(preferred) && isEmpty(max)) return undefined;
  const fitting = topologies(vcpus).filter(
    (one) =>
      one.sockets <= (max.sockets ?? vcpus) &&
      one.cores <= (max.cores ?? vcpus) &&
      one.threads <= (max.threads ?? vcpus),
  );
  const best = Math.max(...fitting.map((one) => matches(one, preferred)));
  return fitting.find((one) => matches(one, preferred) === best) ?? null;
}

function isEmpty(preferred: Preferred): boolean {
  return Object.values(preferred).every((value) => value === undefined);
}

function matches(one: CpuTopology, { sockets, cores, threads }: Preferred): number {
  const same = [one.sockets === sockets, one.cores === cores, one.threads === threads];
  return same.filter(Boolean).length;
}

/** Most sockets first. */
function topologies(vcpus: number): CpuTopology[] {
  return divisors(vcpus).flatMap((sockets) =>
    divisors(vcpus / sockets).map((cores) => ({
      sockets,
      cores,
      threads: vcpus / sockets / cores,
    })),
  );
}

/** The largest first. */
function divisors(of: number): number[] {
  return Array.from({ length: of }, (_, at) => of - at).filter((one) => of % one === 0);
}

/** A flavor's limits of reads and writes. Public source: Nova admin guide, "quota". */
const DISK_LIMITS: Readonly<Record<keyof DiskLimits, string>> = {
  readBytes: 'quota:disk_read_bytes_sec',
  writeBytes: 'quota:disk_write_bytes_sec',
  totalBytes: 'quota:disk_total_bytes_sec',
  readRequests: 'quota:disk_read_iops_sec',
  writeRequests: 'quota:disk_write_iops_sec',
  totalRequests: 'quota:disk_total_iops_sec',
};

/** 0 means no limit. @throws InvalidInputError unless it is a number */
export function diskLimitsOf(flavor: Texts): DiskLimits {
  return Object.fromEntries(
    Object.entries(DISK_LIMITS).flatMap(([limit, name]) => {
      const value = numberOf(flavor, name) ?? 0;
      return value === 0 ? [] : [[limit, value]];
    }),
  );
}
