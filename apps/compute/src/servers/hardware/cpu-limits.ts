/**
 * How much of its host's processors a flavor lets its servers have. Public source: Nova admin guide,
 * "Extra Specs", quota; the bounds are the kernel's.
 */
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import type { CpuLimits } from '../../hypervisor/ports/guest-hardware.js';
import type { Texts } from './hardware-values.js';

const LIMITS: Readonly<Record<keyof CpuLimits, { spec: string; min: number; max: number }>> = {
  shares: { spec: 'quota:cpu_shares', min: 2, max: 262_144 },
  periodUs: { spec: 'quota:cpu_period', min: 1_000, max: 1_000_000 },
  quotaUs: { spec: 'quota:cpu_quota', min: 1_000, max: 2 ** 44 / 1_000 },
};

/**
 * 0, and -1, are no limit.
 * @throws InvalidInputError for what no host can keep
 */
export function cpuLimitsOf(flavor: Texts): CpuLimits {
  return Object.fromEntries(
    Object.entries(LIMITS).flatMap(([limit, { spec, min, max }]) => {
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
