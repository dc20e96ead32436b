/**
 * The free addresses of subnets, as ranges. The next address is the first of the first range, so
 * allocation takes the same time however many are taken.
 *
 * Always holds: an address of a pool is in a range or in `ip_allocations`, never in both.
 * Transactions that allocate, release or change addresses lock the subnet's row before
 * (`lockSubnets`), where they queue in order. Locks of the ranges would not be fair: the ranges
 * change all the time, so later transactions could overtake waiting ones forever.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import type { AllocationPool } from './allocation-pools.js';

/** Inserts the ranges of a new subnet's pools. */
export async function fill(
  tx: RequestContext,
  subnetId: string,
  pools: readonly AllocationPool[],
): Promise<void> {
  await preparedRows(
    tx.manager,
    `INSERT INTO address_ranges (subnet_id, first, last)
     SELECT $1, first, last FROM unnest($2::inet[], $3::inet[]) AS pool (first, last)`,
    [subnetId, pools.map(({ start }) => start), pools.map(({ end }) => end)],
  );
}

/** Recomputes the ranges after the pools have changed. */
export async function refill(
  tx: RequestContext,
  subnetId: string,
  pools: readonly AllocationPool[],
): Promise<void> {
  await preparedRows(tx.manager, 'DELETE FROM address_ranges WHERE subnet_id = $1', [subnetId]);
  for (const { start, end } of pools) {
    await preparedRows(
      tx.manager,
      `WITH taken AS (
         SELECT address FROM ip_allocations
          WHERE subnet_id = $1 AND address BETWEEN $2::inet AND $3::inet
       ), gaps AS (
         SELECT COALESCE(lag(address) OVER (ORDER BY address) + 1, $2::inet) AS first,
                CASE WHEN address > $2::inet THEN address - 1 END AS last
           FROM taken
          UNION ALL
         SELECT COALESCE((SELECT max(address) + 1 FROM taken), $2::inet), $3::inet
          WHERE NOT EXISTS (SELECT FROM taken WHERE address = $3::inet)
       )
       INSERT INTO address_ranges (subnet_id, first, last)
       SELECT $1, first, last FROM gaps WHERE first <= last`,
      [subnetId, start, end],
    );
  }
}

/** Allocates any free address. @returns undefined if none is left */
export async function allocateNext(
  tx: RequestContext,
  subnetId: string,
): Promise<string | undefined> {
  const [front] = await preparedRows<{ address: string }>(
    tx.manager,
    `WITH front AS (
       SELECT first, last FROM address_ranges WHERE subnet_id = $1 ORDER BY last LIMIT 1
     ), used_up AS (
       DELETE FROM address_ranges USING front
        WHERE subnet_id = $1 AND address_ranges.last = front.last AND front.first = front.last
     ), shrunk AS (
       UPDATE address_ranges SET first = front.first + 1 FROM front
        WHERE subnet_id = $1 AND address_ranges.last = front.last AND front.first < front.last
     )
     SELECT host(first) AS address FROM front`,
    [subnetId],
  );
  return front?.address;
}

/** Allocates this address. It need not be in a pool. */
export async function allocateAddress(
  tx: RequestContext,
  subnetId: string,
  address: string,
): Promise<void> {
  await preparedRows(
    tx.manager,
    `WITH around AS (
       SELECT first, last FROM address_ranges
        WHERE subnet_id = $1 AND last >= $2::inet ORDER BY last LIMIT 1
     ), below AS (
       INSERT INTO address_ranges (subnet_id, first, last)
       SELECT $1, first, $2::inet - 1 FROM around WHERE first < $2::inet
     ), used_up AS (
       DELETE FROM address_ranges USING around
        WHERE subnet_id = $1 AND address_ranges.last = around.last AND around.last = $2::inet
          AND around.first <= $2::inet
     )
     UPDATE address_ranges SET first = $2::inet + 1 FROM around
      WHERE subnet_id = $1 AND address_ranges.last = around.last AND around.last > $2::inet
        AND around.first <= $2::inet`,
    [subnetId, address],
  );
}

/** Releases an address, and merges it with adjacent ranges. */
export async function releaseAddress(
  tx: RequestContext,
  subnetId: string,
  address: string,
): Promise<void> {
  const [beside] = await preparedRows<{ left: string | null; right: string | null }>(
    tx.manager,
    `SELECT (SELECT host(first) FROM address_ranges
              WHERE subnet_id = $1 AND last = $2::inet - 1) AS left,
            (SELECT host(last) FROM (
               SELECT first, last FROM address_ranges
                WHERE subnet_id = $1 AND last > $2::inet ORDER BY last LIMIT 1) AS above
              WHERE first = $2::inet + 1) AS right`,
    [subnetId, address],
  );
  const { left = null, right = null } = beside ?? {};
  if (left !== null) {
    await preparedRows(
      tx.manager,
      'DELETE FROM address_ranges WHERE subnet_id = $1 AND last = $2::inet - 1',
      [subnetId, address],
    );
  }
  const first = left ?? address;
  const text =
    right === null
      ? 'INSERT INTO address_ranges (subnet_id, first, last) VALUES ($1, $2::inet, $3::inet)'
      : 'UPDATE address_ranges SET first = $2::inet WHERE subnet_id = $1 AND last = $3::inet';
  await preparedRows(tx.manager, text, [subnetId, first, right ?? address]);
}
