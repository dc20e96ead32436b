/**
 * Roles that a user or a group has on projects and domains, as a template lists them.
 *
 * Always holds: giving and taking are done again without harm: a role that is there is given, one that
 * is gone is taken.
 */
import type { JsonObject } from '../../json/json.js';
import { isSame } from '../../json/same-json.js';
import { listOf, mapOf, named } from '../declare.js';
import type { Properties, PropertySchema } from '../../constraints/property-schema.js';
import { isGiven, mapsIn, textIn, withoutNulls } from '../property-values.js';
import { part, type ServiceCalls } from '../service-calls.js';
import { PropertyError } from '../../constraints/property.errors.js';

export const ROLES: PropertySchema = listOf(
  mapOf(
    {
      role: named('keystone.role', 'The role.', { required: true }),
      project: named('keystone.project', 'The project that it is on; or else give a domain.'),
      domain: named('keystone.domain', 'The domain that it is on; or else give a project.'),
    },
    'A role on a project or a domain.',
  ),
  'The roles.',
  { updatable: true },
);

/** @throws PropertyError */
export function checkRoles(properties: Properties): void {
  for (const [at, grant] of (mapsIn(properties, 'roles') ?? []).entries()) {
    const count = ['project', 'domain'].filter((name) => isGiven(grant, name)).length;
    if (count !== 1)
      throw new PropertyError(
        `roles[${at}]`,
        `Either project or domain must be specified for role ${textIn(grant, 'role') ?? ''}.`,
      );
  }
}

/** Whose the roles are. */
export interface Owner {
  readonly kind: 'users' | 'groups';
  readonly id: string;
}

export async function giveRoles(
  calls: ServiceCalls,
  owner: Owner,
  properties: Properties,
): Promise<void> {
  for (const grant of mapsIn(properties, 'roles') ?? []) await calls.put(pathOf(owner, grant));
}

/** @param kept properties whose roles stay */
export async function takeRoles(
  calls: ServiceCalls,
  owner: Owner,
  properties: Properties,
  kept: Properties = {},
): Promise<void> {
  const staying = (mapsIn(kept, 'roles') ?? []).map(withoutNulls);
  for (const grant of mapsIn(properties, 'roles') ?? [])
    if (!staying.some((one) => isSame(one, withoutNulls(grant))))
      await calls.remove(pathOf(owner, grant));
}

function pathOf({ kind, id }: Owner, grant: JsonObject): string {
  const project = textIn(grant, 'project');
  const scope =
    project === undefined
      ? `domains/${part(textIn(grant, 'domain') ?? '')}`
      : `projects/${part(project)}`;
  return `/v3/${scope}/${kind}/${part(id)}/roles/${part(textIn(grant, 'role') ?? '')}`;
}
