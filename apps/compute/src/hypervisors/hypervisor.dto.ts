import { BooleanField, IntegerField, StringField } from '@cumulet/common/http/fields';
import { HOST_NAME } from '../http/fields.js';

export class ShowHypervisorQuery {
  @BooleanField({ optional: true, fromText: true, description: 'Since 2.53.' })
  with_servers?: boolean;
}

export class ListHypervisorsQuery extends ShowHypervisorQuery {
  @IntegerField({ optional: true, fromText: true, description: 'Since 2.33.' })
  limit?: number;

  @StringField({ optional: true, description: 'The ID of a hypervisor. Since 2.33.' })
  marker?: string;

  @StringField({
    ...HOST_NAME,
    optional: true,
    description: 'A part of the name. Since 2.53.',
  })
  hypervisor_hostname_pattern?: string;
}
