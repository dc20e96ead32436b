import {
  BooleanField,
  ObjectField,
  StringField,
  StringListField,
} from '@cumulet/common/http/fields';

/** Presigned addresses are long. */
const LONGEST_URI = 8_192;

export class ImportMethodDto {
  @StringField({ description: 'glance-direct or web-download.' })
  name: string;

  // Gophercloud sends an empty one with every other method.
  @StringField({
    optional: true,
    min: 0,
    max: LONGEST_URI,
    description: 'Where web-download finds it.',
  })
  uri?: string;

  // What glance-download comes with, so that it is refused by its own name.
  @StringField({ optional: true })
  glance_region?: string;

  @StringField({ optional: true })
  glance_image_id?: string;

  @StringField({ optional: true })
  glance_service_interface?: string;
}

/** Public source: Image API reference, "Import an image". */
export class ImportDto {
  @ObjectField(() => ImportMethodDto)
  method: ImportMethodDto;

  @StringListField({ optional: true, description: 'The stores that are to hold the data.' })
  stores?: string[];

  @BooleanField({ optional: true })
  all_stores?: boolean;

  @BooleanField({ optional: true })
  all_stores_must_succeed?: boolean;
}
