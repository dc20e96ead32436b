/**
 * Records the beginning of an action on servers, in its transaction. The trigger on servers records
 * the outcome, with the state in which the server settles.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Id } from '@cumulet/common/context/ids';
import { DomainError } from '@cumulet/common/errors/domain-error';
import type { ServerId, Server } from '../server.entity.js';
import {
  INSTANCE_ACTIONS,
  instanceActionOf,
  type InstanceActionName,
} from './instance-action-names.js';

/**
 * Ends the servers' actions in progress, undone: a delete, for example, ends a build.
 * @param asked name or verb of the action; those without a history in Nova are not recorded
 * @param nicId the only NIC that it concerns: it neither ends other actions nor is ended by them,
 *   and the triggers on NICs record its outcome
 */
export async function recordAction(
  tx: RequestContext,
  ids: readonly ServerId[],
  asked: string,
  nicId: Id<'Nic'> | null = null,
): Promise<void> {
  const action = instanceActionOf(asked);
  if (action === undefined) return;
  const { requestId, fields } = tx;
  const byService = fields.token === undefined;
  const event = INSTANCE_ACTIONS[action];
  await tx.manager.query(
    `WITH overtaken AS (
       UPDATE instance_actions
          SET finished_at = clock_timestamp(), updated_at = clock_timestamp(),
              result = 'Error', message = $7
        WHERE server_id = ANY($1) AND finished_at IS NULL AND $6::text IS NOT NULL
          AND nic_id IS NULL AND $8::uuid IS NULL)
     INSERT INTO instance_actions
       (server_id, request_id, action, user_id, project_id, event, nic_id, finished_at)
     SELECT id, $2, $3, $4, $5, $6, $8, CASE WHEN $6::text IS NULL THEN clock_timestamp() END
       FROM unnest($1::uuid[]) AS id
     ON CONFLICT DO NOTHING`,
    [
      ids,
      requestId,
      action,
      byService ? null : fields.userId,
      byService ? null : (fields.projectId ?? null),
      event,
      `It was overtaken by the action '${action}'.`,
      nicId,
    ],
  );
}

/**
 * Records an action with its outcome while the request waits. If another process relays the request
 * to the server's host, the action is recorded there alone. Work that a crash cuts off ends when
 * the server next settles.
 * @throws the errors of the work
 */
export async function recordAtOnce(
  ctx: RequestContext,
  { id, host }: Pick<Server, 'id' | 'host'>,
  action: InstanceActionName,
  work: () => Promise<void>,
): Promise<void> {
  const { requestId, fields, manager } = ctx;
  await manager.query(
    `INSERT INTO instance_actions (server_id, request_id, action, user_id, project_id, event)
     SELECT $1, $2, $3, $4, $5, $6
      WHERE NOT EXISTS (SELECT FROM instance_actions
                         WHERE server_id = $1 AND action = $3 AND finished_at IS NULL)
     ON CONFLICT DO NOTHING`,
    [id, requestId, action, fields.userId, fields.projectId ?? null, INSTANCE_ACTIONS[action]],
  );
  const end = (result: 'Success' | 'Error', message: string | null): Promise<unknown> =>
    manager.query(
      `UPDATE instance_actions
          SET finished_at = clock_timestamp(), updated_at = clock_timestamp(),
              host = $3, result = $4, message = $5
        WHERE server_id = $1 AND action = $2 AND finished_at IS NULL`,
      [id, action, host, result, message],
    );
  try {
    await work();
  } catch (error) {
    await end('Error', error instanceof DomainError ? error.message : 'It failed.');
    throw error;
  }
  await end('Success', null);
}
