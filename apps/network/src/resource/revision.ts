/**
 * Conditional changes: with `If-Match: revision_number=3`, a resource is changed or deleted only at
 * this revision. Public source: neutron-lib, `revisionifmatch`; neutron, `api/api_common.py`.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { HTTPBadRequestError } from '@cumulet/common/resources/resource.errors';
import { shortened } from '@cumulet/common/resources/value-type';
import { RevisionNumberConstraintFailedError } from './resource.errors.js';

/** @throws HTTPBadRequestError for any other condition */
export function revisionOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const [, revision] = /^revision_number=(-?\d{1,9})$/.exec(header.trim()) ?? [];
  if (revision !== undefined) return Number(revision);
  throw new HTTPBadRequestError(
    `Bad if-match request: '${shortened(header)}' is not of the form revision_number=<int>.`,
  );
}

/** @throws RevisionNumberConstraintFailedError if the row has another revision */
export function expectRevision(
  { revisionNumber }: { readonly revisionNumber: number },
  expected: number | undefined,
): void {
  if (expected !== undefined && expected !== revisionNumber)
    throw new RevisionNumberConstraintFailedError(expected, revisionNumber);
}

/** Increments the revision of a resource, a part of which has changed. */
export async function revise(
  tx: RequestContext,
  table: 'networks' | 'security_groups',
  id: string,
): Promise<void> {
  await preparedRows(
    tx.manager,
    `UPDATE ${table} SET revision_number = revision_number + 1, updated_at = clock_timestamp()
      WHERE id = $1`,
    [id],
  );
}
