/**
 * SQL of the projects and domains on which a user has roles. The user is a parameter of the statement
 * around it.
 *
 * An assignment is the user's own or one of its groups'. An inherited one holds on the projects
 * below its target, not on the target. A role of a domain counts as the global roles that it
 * implies, and not at all if it implies none. Public sources: Keystone API reference, "OS-INHERIT";
 * Keystone administrator guide, "Domain-specific roles".
 */

/** A condition on rows of `role_assignments`. @param user `$1` */
export function heldBy(user: string): string {
  return `(role_assignments.user_id = ${user} OR role_assignments.group_id IN
            (SELECT group_id FROM group_members WHERE user_id = ${user}))`;
}

/** Without domains as projects: no token is scoped to these. */
export function projectsOf(user: string): string {
  return `
    SELECT project_id FROM role_assignments
     WHERE ${heldBy(user)} AND project_id IS NOT NULL AND NOT inherited AND ${COUNTS}
    UNION
    SELECT below.id
      FROM role_assignments JOIN projects below
        ON below.domain_id = role_assignments.domain_id
           OR role_assignments.project_id = ANY (below.ancestor_ids)
     WHERE ${heldBy(user)} AND inherited AND ${COUNTS}`;
}

/** Inherited roles hold on projects only. */
export function domainsOf(user: string): string {
  return `
    SELECT domain_id FROM role_assignments
     WHERE ${heldBy(user)} AND domain_id IS NOT NULL AND NOT (inherited OR as_project)
       AND ${COUNTS}`;
}

const COUNTS = `role_assignments.role_id IN (
  WITH RECURSIVE counting (id) AS (
    SELECT id FROM roles WHERE domain_id IS NULL
    UNION
    SELECT prior_role_id FROM role_inferences JOIN counting ON implied_role_id = counting.id
  )
  SELECT id FROM counting)`;

/**
 * A part of a `WITH RECURSIVE`: each role with all that it implies. `closure` has a row for each path
 * from an assigned role to a role: `assigned_role_id`, `role_id`, and in `prior_role_id` the last role
 * on the path, null for the assigned role itself. It ends even if roles imply each other.
 */
export const ROLE_CLOSURE = `closure (assigned_role_id, role_id, prior_role_id) AS (
    SELECT id, id, NULL::text FROM roles
    UNION
    SELECT closure.assigned_role_id, role_inferences.implied_role_id, closure.role_id
      FROM closure JOIN role_inferences ON role_inferences.prior_role_id = closure.role_id
  )`;
