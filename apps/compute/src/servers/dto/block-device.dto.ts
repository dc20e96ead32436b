/** Block devices as clients ask for them. Public source: Nova API reference, "Create Server". */
import {
  BooleanField,
  EnumField,
  IntegerField,
  StringField,
  UnsupportedField,
  UuidField,
} from '@cumulet/common/http/fields';
import { TAG } from '../../http/fields.js';

const NO_VOLUMES = 'volumes are not offered';

/** Every device that Nova knows; `boot-device.ts` says which are supported. */
export class BlockDeviceDto {
  @EnumField(['volume', 'image', 'snapshot', 'blank'])
  source_type: string;

  @EnumField(['local', 'volume'], { optional: true })
  destination_type?: string;

  @UuidField({ optional: true, description: 'The image.' })
  uuid?: string;

  @IntegerField({
    optional: true,
    nullable: true,
    fromText: true,
    min: -2_147_483_648,
    description: 'Must be 0 for the image, the boot disk.',
  })
  boot_index?: number | null;

  @BooleanField({ optional: true, fromText: true })
  delete_on_termination?: boolean;

  @IntegerField({ optional: true, fromText: true, min: 1, description: 'In GiB.' })
  volume_size?: number;

  @StringField({ optional: true, min: 0 })
  device_type?: string;

  @StringField({ optional: true, min: 0 })
  disk_bus?: string;

  @StringField({ optional: true, min: 0 })
  guest_format?: string;

  @StringField({
    optional: true,
    pattern: /^[a-zA-Z0-9._/-]*$/,
    patternText: "must contain only letters, digits, '.', '_', '/' and '-'",
  })
  device_name?: string;

  @StringField({
    ...TAG,
    optional: true,
    description: 'Identifies the disk in the guest. In 2.32, and since 2.42.',
  })
  tag?: string;

  @UnsupportedField(NO_VOLUMES)
  volume_type?: unknown;

  @UnsupportedField(NO_VOLUMES)
  volume_id?: unknown;

  @UnsupportedField(NO_VOLUMES)
  snapshot_id?: unknown;

  @UnsupportedField(NO_VOLUMES)
  connection_info?: unknown;

  @UnsupportedField('name the image by uuid')
  image_id?: unknown;

  @UnsupportedField('images bring no devices of their own that could be left out')
  no_device?: unknown;

  @UnsupportedField('there are neither ephemeral nor swap disks')
  virtual_name?: unknown;
}
