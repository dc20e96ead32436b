/** Which roles imply which, on the wire. Public source: Keystone API reference, "Roles". */
import { roleUrl } from '../roles/role.view.js';
import type { Inferences, NamedRole } from './role-inference.repository.js';

function namedRoleView({ id, name }: NamedRole, baseUrl: string): object {
  return { id, name, links: { self: roleUrl(id, baseUrl) } };
}

export function inferencesView({ prior, implies }: Inferences, baseUrl: string): object {
  return {
    prior_role: namedRoleView(prior, baseUrl),
    implies: implies.map((role) => namedRoleView(role, baseUrl)),
  };
}

/** One prior role and one that it implies. */
export function inferenceView(prior: NamedRole, implied: NamedRole, baseUrl: string): object {
  return {
    role_inference: {
      prior_role: namedRoleView(prior, baseUrl),
      implies: namedRoleView(implied, baseUrl),
    },
    links: { self: `${roleUrl(prior.id, baseUrl)}/implies/${implied.id}` },
  };
}
