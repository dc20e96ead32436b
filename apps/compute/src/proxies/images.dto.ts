/** Public source: nova, `api/openstack/compute/images.py`, `schemas/images.py`. */
import { IntegerField, StringField } from '@cumulet/common/http/fields';

export class ListImagesQuery {
  @IntegerField({ optional: true, fromText: true })
  limit?: number;

  @StringField({ optional: true })
  marker?: string;

  @StringField({ optional: true })
  name?: string;

  @StringField({ optional: true })
  status?: string;

  @StringField({ optional: true, description: 'Id of the server that it is of, or its address.' })
  server?: string;

  @StringField({ optional: true, description: '`snapshot` or `backup`.' })
  type?: string;

  @IntegerField({ optional: true, fromText: true })
  minRam?: number;

  @IntegerField({ optional: true, fromText: true })
  minDisk?: number;

  @StringField({ optional: true, description: 'An ISO 8601 time.' })
  'changes-since'?: string;
}
