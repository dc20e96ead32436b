/** Access rules on the wire. Public source: Keystone API reference, "Application Credentials". */
import { EnumField, StringField } from '@cumulet/common/http/fields';
import { IgnoresOthers } from '@cumulet/common/http/read-dto';
import { Shown } from '@cumulet/common/http/shown';
import { SortedBy } from '@cumulet/common/tables/listing';
import { PageQuery, TextFilter } from '../resource/resource.dto.js';
import { LinksView } from '../resource/resource.view.js';

const METHODS = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'] as const;

/** Either the `id` of one of the user's rules, or what a rule allows. */
@IgnoresOthers()
export class AccessRuleDto {
  @StringField({ optional: true, max: 64 })
  id?: string;

  @StringField({
    optional: true,
    max: 64,
    pattern: /^[a-zA-Z0-9-]+$/,
    patternText: 'must be the type of a service, of letters, digits and dashes',
    example: 'compute',
  })
  service?: string;

  @EnumField(METHODS, { optional: true })
  method?: string;

  @StringField({
    optional: true,
    max: 128,
    pattern: /^\//,
    patternText: 'must begin with a slash',
    example: '/v2.1/servers/*',
  })
  path?: string;
}

@SortedBy(['service', 'path', 'method'])
export class ListAccessRulesQuery extends PageQuery {
  @TextFilter()
  service?: string;

  @TextFilter()
  method?: string;

  @TextFilter()
  path?: string;
}

/** What a rule allows. */
export class RuleView {
  @Shown(String, 'The type of the service in the catalog.', { example: 'compute' })
  service: string;

  @Shown(String, 'The method of the request.', { enum: METHODS })
  method: string;

  @Shown(String, 'The path of the request.', { example: '/v2.1/servers/*' })
  path: string;
}

/** A rule of an application credential. */
export class CredentialRuleView extends RuleView {
  @Shown(String, 'What the rule is named by.')
  id: string;
}

export class AccessRuleView extends CredentialRuleView {
  @Shown(() => LinksView, 'Where it is found.')
  links: LinksView;
}
