/** The counts of a bucket's rows, for tests that nothing is left behind. */
import { preparedRows } from '@cumulet/common/database/rows';
import type { TestS3 } from '../s3.fixture.js';

export interface Counts {
  readonly objects: number;
  readonly uploads: number;
  readonly parts: number;
  /** In the whole service. */
  readonly loose: number;
}

export async function countsIn({ started }: TestS3, bucket: string): Promise<Counts> {
  const [row] = await preparedRows<Counts>(
    started.ctx.manager,
    `WITH here AS (SELECT id FROM buckets WHERE name = $1)
     SELECT
       (SELECT count(*)::integer FROM objects JOIN here ON bucket_id = here.id) AS objects,
       (SELECT count(*)::integer FROM uploads JOIN here ON bucket_id = here.id) AS uploads,
       (SELECT count(*)::integer FROM parts WHERE content_id IN (
          SELECT uploads.id FROM uploads JOIN here ON bucket_id = here.id
          UNION SELECT content_id FROM objects JOIN here ON bucket_id = here.id
       )) AS parts,
       (SELECT count(*)::integer FROM loose_data) AS loose`,
    [bucket],
  );
  if (!row) throw new Error('a count has no row');
  return row;
}
