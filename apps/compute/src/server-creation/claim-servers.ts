import type { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { QuotaExceededError } from '@cumulet/common/quotas/quota.errors';
import type { Flavor } from '../flavors/flavor.entity.js';
import type { ComputeQuotas } from '../quotas/compute-quotas.js';
import type { CreateServerDto } from '../servers/server.dto.js';

/** The most servers that a request asks for. @throws InvalidInputError for fewer than the fewest */
export function countOf({ min_count = 1, max_count }: CreateServerDto): number {
  const count = max_count ?? min_count;
  if (min_count > count) {
    throw new InvalidInputError(
      `Invalid input: server.min_count ${min_count} must not be greater than server.max_count ${count}.`,
    );
  }
  return count;
}

/**
 * Claims for as many servers as the quotas leave, up to the most that are wanted.
 * @returns how many
 * @throws QuotaExceededError or QuotaExhaustedError where the fewest that are wanted are too many
 */
export async function claimServers(
  tx: RequestContext,
  quotas: ComputeQuotas,
  dto: CreateServerDto,
  flavor: Flavor,
): Promise<number> {
  const most = countOf(dto);
  const fewest = dto.min_count ?? 1;
  const each = { instances: 1, cores: flavor.vcpus, ram: flavor.memoryMb };
  const claim = (count: number): Promise<void> =>
    quotas.claim(tx, {
      instances: count,
      cores: count * each.cores,
      ram: count * each.ram,
      metadata_items: Object.keys(dto.metadata ?? {}).length,
    });
  try {
    await claim(most);
    return most;
  } catch (error) {
    if (!(error instanceof QuotaExceededError) || fewest === most) throw error;
  }
  // The claim that was refused holds the quotas' locks, so what is left stays so.
  const usage = await quotas.usage(tx, tx.projectId);
  const left = (['instances', 'cores', 'ram'] as const)
    .filter((name) => usage[name].limit >= 0)
    .map((name) => Math.floor((usage[name].limit - usage[name].used) / each[name]));
  const count = Math.max(fewest, Math.min(most, ...left));
  await claim(count);
  return count;
}
