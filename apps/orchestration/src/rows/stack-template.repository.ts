import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows, selectRow } from '@cumulet/common/database/rows';
import { StackTemplate } from './stack-template.entity.js';

export function findTemplate(
  { manager }: RequestContext,
  id: string,
): Promise<StackTemplate | undefined> {
  return selectRow(manager, StackTemplate, 'WHERE id = $1', [id]);
}

export async function insertTemplate(
  { manager }: RequestContext,
  { id, source, summary, outputResources }: Omit<StackTemplate, 'createdAt'>,
): Promise<void> {
  await preparedRows(
    manager,
    `INSERT INTO stack_templates (id, source, summary, output_resources)
     VALUES ($1, $2, $3, $4)`,
    [id, source, summary, outputResources],
  );
}

/** Deletes those of these templates that no stack refers to. */
export async function dropTemplates(
  { manager }: RequestContext,
  ids: readonly (string | null)[],
): Promise<void> {
  const known = ids.filter((id) => id !== null);
  if (known.length === 0) return;
  await preparedRows(
    manager,
    `DELETE FROM stack_templates AS one WHERE id = ANY($1)
        AND NOT EXISTS (SELECT FROM stacks WHERE template_id = one.id)
        AND NOT EXISTS (SELECT FROM stacks WHERE previous_template_id = one.id)`,
    [known],
  );
}
