import { StringField } from '@cumulet/common/http/fields';

/** Public source: Image API reference, "Get namespace details" and "Show property definition". */
export class ResourceTypeQuery {
  @StringField({
    optional: true,
    min: 0,
    description: 'The resource type whose prefix the names of properties have.',
  })
  resource_type?: string;
}
