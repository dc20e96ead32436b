/**
 * Lists of role assignments, each in one statement. `listed` has the assignments as they were made or
 * as they take effect, and in `assignment_id` the assignment from which each comes.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { ListRoleAssignmentsQuery } from './role-assignment.dto.js';
import { ROLE_CLOSURE } from '../database/user-reach.sql.js';

export interface NamedThing {
  readonly id: string;
  readonly name: string;
  /** The domain that owns it; null for a domain itself, and for a role of all domains. */
  readonly domain: { readonly id: string; readonly name: string } | null;
}

/** A user or a group; on a project, a domain, or else the system. */
export interface ListedAssignment {
  readonly role: NamedThing;
  readonly user: NamedThing | null;
  readonly group: NamedThing | null;
  readonly project: NamedThing | null;
  readonly domain: NamedThing | null;
  readonly inherited: boolean;
  readonly from: {
    readonly roleId: string;
    readonly userId: string | null;
    readonly groupId: string | null;
    readonly projectId: string | null;
    readonly domainId: string | null;
    /** Whether the target is the domain as a project. */
    readonly asProject: boolean;
  };
  /** Null if this role is assigned itself. */
  readonly priorRoleId: string | null;
}

const AS_MADE = `
  WITH listed AS (
    SELECT *, id AS assignment_id, NULL::text AS prior_role_id FROM role_assignments
  )`;

/**
 * An inherited assignment holds on each project below its target; a group's, for each member. Roles
 * of a domain are left out: tokens have only what they imply.
 */
const IN_EFFECT = `
  WITH RECURSIVE ${ROLE_CLOSURE}, placed AS (
    SELECT role_assignments.*, project_id AS on_project_id, domain_id AS on_domain_id,
           as_project AS on_as_project
      FROM role_assignments WHERE NOT inherited
    UNION ALL
    SELECT role_assignments.*, projects.id, NULL, false
      FROM projects CROSS JOIN unnest(ancestor_ids || projects.domain_id) AS above (id)
      JOIN role_assignments
        ON above.id = COALESCE(role_assignments.project_id, role_assignments.domain_id)
     WHERE inherited
  ), listed AS (
    SELECT closure.role_id, COALESCE(placed.user_id, group_members.user_id) AS user_id,
           NULL::text AS group_id, on_project_id AS project_id, on_domain_id AS domain_id,
           on_as_project AS as_project, on_system, inherited, placed.id AS assignment_id, closure.prior_role_id
      FROM placed LEFT JOIN group_members USING (group_id)
      JOIN closure ON closure.assigned_role_id = placed.role_id
      JOIN roles ON roles.id = closure.role_id AND roles.domain_id IS NULL
     WHERE placed.user_id IS NOT NULL OR group_members.user_id IS NOT NULL
  )`;

const NOT_TARGETS = ['role', 'user', 'group'] as const;
const OWNED = [...NOT_TARGETS, 'project'] as const;

const AS_PROJECT = `CASE WHEN listed.as_project THEN ${named('domains')}
                         ELSE ${named('projects', 'project_domains')} END`;
const AS_DOMAIN = `CASE WHEN NOT listed.as_project THEN ${named('domains')} END`;

const NAMED = `
  SELECT ${NOT_TARGETS.map((kind) => `${named(`${kind}s`, `${kind}_domains`)} AS ${kind}`).join(', ')},
         ${AS_PROJECT} AS project, ${AS_DOMAIN} AS domain, listed.inherited, listed.prior_role_id AS "priorRoleId",
         json_build_object('roleId', origin.role_id, 'userId', origin.user_id,
                           'groupId', origin.group_id, 'projectId', origin.project_id,
                           'domainId', origin.domain_id,
                           'asProject', origin.as_project) AS from
    FROM listed JOIN role_assignments AS origin ON origin.id = assignment_id
    ${OWNED.map(joined).join(' ')}
    LEFT JOIN domains ON domains.id = listed.domain_id
   WHERE ($1::text IS NULL OR listed.user_id = $1) AND ($2::text IS NULL OR listed.group_id = $2)
     AND ($3::text IS NULL OR listed.role_id = $3)
     AND ($4::text IS NULL OR projects.id = $4 OR (listed.as_project AND domains.id = $4)
          OR ($5 AND ($4 = ANY (projects.ancestor_ids) OR projects.domain_id = $4)))
     AND ($6::text IS NULL OR (domains.id = $6 AND NOT listed.as_project)) AND (NOT $7 OR listed.on_system)
     AND (NOT $8 OR listed.inherited)
     AND ($9::text IS NULL OR (domains.id = $9 AND NOT listed.as_project)
          OR projects.domain_id = $9)
   ORDER BY roles.name, users.name, groups.name, domains.name, projects.name, roles.id, users.id,
            groups.id, projects.id, origin.group_id, origin.project_id, origin.domain_id,
            origin.role_id`;

function joined(kind: string): string {
  return `LEFT JOIN ${kind}s ON ${kind}s.id = listed.${kind}_id
          LEFT JOIN domains AS ${kind}_domains ON ${kind}_domains.id = ${kind}s.domain_id`;
}

/** SQL: a thing with its domain, as JSON; null if the row has none. */
function named(table: string, domains?: string): string {
  const domain =
    domains &&
    `CASE WHEN ${domains}.id IS NOT NULL THEN json_build_object('id', ${domains}.id, 'name', ${domains}.name) END`;
  return `CASE WHEN ${table}.id IS NOT NULL THEN json_build_object('id', ${table}.id, 'name', ${table}.name, 'domain', ${domain ?? 'NULL'}) END`;
}

/**
 * The assignments as they were made, or with `effective`, as they take effect for each user.
 * @param within limits the list to targets of this domain
 */
export function listAssignments(
  ctx: RequestContext,
  query: ListRoleAssignmentsQuery,
  within: string | undefined,
): Promise<ListedAssignment[]> {
  return ctx.manager.query((query.effective ? IN_EFFECT : AS_MADE) + NAMED, [
    query['user.id'],
    query['group.id'],
    query['role.id'],
    query['scope.project.id'],
    query.include_subtree ?? false,
    query['scope.domain.id'],
    query['scope.system'] !== undefined,
    query['scope.OS-INHERIT:inherited_to'] !== undefined,
    within,
  ]);
}
