/**
 * What a role amounts to: itself and all that it implies, by whichever way, as a part of a
 * `WITH RECURSIVE`. `closure` has a row for each way by which an assigned role leads to a role:
 * `assigned_role_id`, `role_id`, and in `prior_role_id` the last role on the way, null for the
 * assigned role itself. It ends even where roles should imply each other.
 */
export const ROLE_CLOSURE = `closure (assigned_role_id, role_id, prior_role_id) AS (
    SELECT id, id, NULL::text FROM roles
    UNION
    SELECT closure.assigned_role_id, role_inferences.implied_role_id, closure.role_id
      FROM closure JOIN role_inferences ON role_inferences.prior_role_id = closure.role_id
  )`;
