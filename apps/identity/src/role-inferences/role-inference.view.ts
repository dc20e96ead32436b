/** Which roles imply which, on the wire. Public source: Keystone API reference, "Roles". */
import { Shown } from '@cumulet/common/http/shown';
import { LinksView } from '../resource/resource.view.js';
import type { Inference, Inferences } from './role-inferences.service.js';

class NamedRoleView {
  @Shown(String, 'The id of the role.')
  id: string;

  @Shown(String, 'Its name.')
  name: string;

  @Shown(() => LinksView, 'Where it is found.')
  links: LinksView;
}

/** One prior role and one that it implies. */
class InferenceView {
  @Shown(() => NamedRoleView, 'Whoever has this role …')
  prior_role: NamedRoleView;

  @Shown(() => NamedRoleView, '… has this one too.')
  implies: NamedRoleView;
}

export class InferenceBody {
  @Shown(() => InferenceView, 'The inference.')
  role_inference: InferenceView;

  @Shown(() => LinksView, 'Where it is found.')
  links: LinksView;
}

/** One prior role and all that it implies directly, not through another. */
export class InferencesView {
  @Shown(() => NamedRoleView, 'Whoever has this role …')
  prior_role: NamedRoleView;

  @Shown([() => NamedRoleView], '… has these too.')
  implies: NamedRoleView[];
}

export class InferencesBody {
  @Shown(() => InferencesView, 'The inferences.')
  role_inference: InferencesView;

  @Shown(() => LinksView, 'Where they are found.')
  links: LinksView;
}

export function impliedUrl(priorId: string, baseUrl: string, impliedId?: string): string {
  const implied = impliedId === undefined ? '' : `/${impliedId}`;
  return `${baseUrl}/v3/roles/${priorId}/implies${implied}`;
}

function namedRoleView({ id, name }: Inferences['prior'], baseUrl: string): NamedRoleView {
  return { id, name, links: { self: `${baseUrl}/v3/roles/${id}` } };
}

export function inferenceBody({ prior, implied }: Inference, baseUrl: string): InferenceBody {
  return {
    role_inference: {
      prior_role: namedRoleView(prior, baseUrl),
      implies: namedRoleView(implied, baseUrl),
    },
    links: { self: impliedUrl(prior.id, baseUrl, implied.id) },
  };
}

export function inferencesView({ prior, implies }: Inferences, baseUrl: string): InferencesView {
  return {
    prior_role: namedRoleView(prior, baseUrl),
    implies: implies.map((role) => namedRoleView(role, baseUrl)),
  };
}
