import { EnumField, StringField } from '@cumulet/common/http/fields';
import { InexactFilters } from '../http/inexact-filter.js';
import { PageQuery } from '../http/page.js';

export const METHODS = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'] as const;

/** A rule of the user's by its `id`, or one by what it allows. */
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

@InexactFilters('service', 'method', 'path')
export class ListAccessRulesQuery extends PageQuery {
  @StringField({ optional: true })
  service?: string;

  @StringField({ optional: true })
  method?: string;

  @StringField({ optional: true })
  path?: string;
}
