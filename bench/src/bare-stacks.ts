/** The baseline for stacks (`bare-process.ts`): the same rows, opened and shown by the same views. */
import type { FastifyInstance } from 'fastify';
import { Seal } from '@cumulet/common/crypto/seal';
import { shapeOf } from '@cumulet/common/database/rows';
import { evaluate, referencesTo } from '@cumulet/orchestration/template/evaluate';
import type { ShownOutput, TemplateSummary } from '@cumulet/orchestration/engine/stack-commands';
import { outputView, stackDetail, stackSummary } from '@cumulet/orchestration/stacks/stack.view';
import { Stack } from '@cumulet/orchestration/rows/stack.entity';
import type { JsonObject } from '@cumulet/orchestration/json/json';
import pg from 'pg';
import type { EntityManager } from 'typeorm';
import type { BareStacks } from './protocol.js';

interface ShownRow extends Stack {
  readonly summary: string;
}

interface ResourceRow {
  readonly name: string;
  readonly attributes: string;
}

/**
 * @param manager only for the entity's list of columns
 * @param projectId whose stacks are shown
 */
export function bareStacks(
  app: FastifyInstance,
  { databaseUrl, secretKey, url: baseUrl }: BareStacks,
  manager: EntityManager,
  projectId: string,
): void {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  const seal = new Seal(secretKey);
  const open = <T>(sealed: string): T => JSON.parse(seal.open(sealed)) as T;
  const { columns } = shapeOf(manager, Stack);
  const ctx = { baseUrl };

  app.get('/stacks', async () => {
    const sql = `SELECT ${columns} FROM stacks WHERE project_id = $1 AND owner_id IS NULL
                  ORDER BY created_at DESC, id DESC`;
    const { rows } = await pool.query<Stack>(sql, [projectId]);
    return { stacks: rows.map((row) => stackSummary(ctx, row)) };
  });

  const outputsOf = async (
    { id }: Stack,
    { outputs }: Pick<TemplateSummary, 'outputs'>,
  ): Promise<ShownOutput[]> => {
    const sql = 'SELECT name, attributes FROM stack_resources WHERE stack_id = $1 AND NOT obsolete';
    const { rows } = await pool.query<ResourceRow>(sql, [id]);
    const references = referencesTo(
      rows.map(({ name, attributes }) => {
        return { name, reference: null, attributes: open<JsonObject>(attributes) };
      }),
    );
    return Object.entries(outputs).map(([name, { description, value }]) => {
      return { name, description, value: evaluate(value, references) };
    });
  };

  app.get<{ Params: { id: string } }>('/stacks/:name/:id', async ({ params }) => {
    const sql = `SELECT ${columns}, template.summary FROM stacks
                   JOIN stack_templates AS template ON template.id = stacks.template_id
                  WHERE stacks.id = $1 AND project_id = $2`;
    const { rows } = await pool.query<ShownRow>(sql, [params.id, projectId]);
    const [stack] = rows;
    if (!stack) throw new Error(`there is no stack ${params.id}`);
    const template = open<Omit<TemplateSummary, 'source'>>(stack.summary);
    const outputs = await outputsOf(stack, template);
    return { stack: { ...stackDetail(ctx, stack, template), outputs: outputs.map(outputView) } };
  });
}
