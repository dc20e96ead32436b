/** How much a flavor lets its servers read and write. Public source: Nova admin guide, "quota". */
import type { DiskLimits } from '../../hypervisor/ports/guest-hardware.js';
import { numberOf, type Texts } from './hardware-values.js';

const LIMITS: Readonly<Record<keyof DiskLimits, string>> = {
  readBytes: 'quota:disk_read_bytes_sec',
  writeBytes: 'quota:disk_write_bytes_sec',
  totalBytes: 'quota:disk_total_bytes_sec',
  readRequests: 'quota:disk_read_iops_sec',
  writeRequests: 'quota:disk_write_iops_sec',
  totalRequests: 'quota:disk_total_iops_sec',
};

/** 0 is no limit. @throws InvalidInputError for what is no number */
export function diskLimitsOf(flavor: Texts): DiskLimits {
  return Object.fromEntries(
    Object.entries(LIMITS).flatMap(([limit, name]) => {
      const value = numberOf(flavor, name) ?? 0;
      return value === 0 ? [] : [[limit, value]];
    }),
  );
}
