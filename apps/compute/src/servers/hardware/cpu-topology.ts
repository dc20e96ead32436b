/**
 * Sockets, cores and threads of a guest. Public source: Nova admin guide, "CPU topologies", and
 * `virt/hardware.py`. Pure.
 */
import type { CpuTopology } from '../../hypervisor/ports/guest-hardware.js';

export type Preferred = { readonly [Part in keyof CpuTopology]?: number | undefined };

/**
 * The topology with the most of what is preferred; among equals, that with the most sockets, then
 * the most cores.
 * @param max what none of the three may exceed
 * @returns null where none fits; undefined if nothing is preferred, and nothing limited
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

/** All of them, those with the most sockets first. */
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
