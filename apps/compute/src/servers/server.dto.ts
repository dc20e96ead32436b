/**
 * Requests about servers. Public source: Nova API reference, "Servers (servers)".
 * Properties that this platform does not offer are refused by name.
 */
import {
  BooleanField,
  CheckedField,
  EnumField,
  IntegerField,
  ListField,
  ObjectField,
  StringField,
  StringListField,
  StringMapField,
  UnsupportedField,
} from '@cumulet/common/http/fields';
import { BlockDeviceDto } from './block-device.dto.js';
import { InjectedFileDto } from './injected-files.js';
import { isUserData } from './user-data.js';

export class CreateServerDto {
  @StringField({
    max: 255,
    pattern: /^(?=.*\S)[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+$/u,
    patternText: 'must hold printable characters, and not be blank',
  })
  name: string;

  @StringField({
    optional: true,
    min: 0,
    max: 36,
    pattern: /^([0-9a-fA-F]{8}(-?[0-9a-fA-F]{4}){3}-?[0-9a-fA-F]{12})?$/,
    patternText: 'must be a UUID',
    description: 'The image to boot; empty or left out where the block device names it.',
  })
  imageRef?: string;

  @StringField({ description: 'Id of a flavor, or its address.' })
  flavorRef: string;

  @CheckedField(
    isNetworks,
    "must be 'none', 'auto' or an empty list: networks with ids need the network service, which this cloud does not run",
    { type: 'string', enum: ['none', 'auto'] },
    { optional: true },
  )
  networks?: 'none' | 'auto' | [];

  @StringMapField({
    optional: true,
    maxKeys: 4_096,
    description: 'Limited by the quota `metadata_items`.',
  })
  metadata?: Record<string, string>;

  @CheckedField(
    isUserData,
    'must be base64 of at most 65535 bytes',
    { type: 'string', maxLength: 65_535 },
    { optional: true, nullable: true },
  )
  user_data?: string | null;

  @StringField({ optional: true })
  adminPass?: string;

  @ListField(() => InjectedFileDto, {
    optional: true,
    description: 'Until 2.56; limited by `injected_files`.',
  })
  personality?: InjectedFileDto[];

  @BooleanField({ optional: true, nullable: true, fromText: true })
  config_drive?: boolean | null;

  @EnumField(['nova'], { optional: true, description: 'There is one availability zone.' })
  availability_zone?: string;

  @IntegerField({ optional: true, fromText: true, min: 1, max: 100 })
  min_count?: number;

  @IntegerField({ optional: true, fromText: true, min: 1, max: 100 })
  max_count?: number;

  @BooleanField({ optional: true, fromText: true })
  return_reservation_id?: boolean;

  @ListField(() => BlockDeviceDto, { optional: true, maxItems: 255 })
  block_device_mapping_v2?: BlockDeviceDto[];

  @EnumField(['AUTO', 'MANUAL'], { optional: true })
  'OS-DCF:diskConfig'?: string;

  @StringField({ optional: true, nullable: true, min: 0, description: 'Since 2.19.' })
  description?: string | null;

  @StringListField({
    optional: true,
    max: 60,
    maxItems: 50,
    pattern: /^[^/,]+$/,
    patternText: "must hold neither '/' nor ','",
    description: 'Since 2.52.',
  })
  tags?: string[];

  @StringField({
    optional: true,
    max: 63,
    pattern: /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/,
    patternText: 'must be a host name',
    description: 'Since 2.90.',
  })
  hostname?: string;

  @StringField({ optional: true, description: "One of the user's key pairs." })
  key_name?: string;

  @UnsupportedField('security groups need the network service, which this cloud does not run')
  security_groups?: unknown;

  @UnsupportedField('volumes are not offered')
  block_device_mapping?: unknown;

  @UnsupportedField('addresses need the network service, which this cloud does not run')
  accessIPv4?: unknown;

  @UnsupportedField('addresses need the network service, which this cloud does not run')
  accessIPv6?: unknown;

  @UnsupportedField('hosts are chosen by the scheduler')
  host?: unknown;

  @UnsupportedField('hosts are chosen by the scheduler')
  hypervisor_hostname?: unknown;

  @UnsupportedField('image certificates are not offered')
  trusted_image_certificates?: unknown;
}

export class CreateServerBody {
  @ObjectField(() => CreateServerDto)
  server: CreateServerDto;

  @UnsupportedField('scheduler hints are not offered')
  'os:scheduler_hints'?: unknown;

  @UnsupportedField('scheduler hints are not offered')
  'OS-SCH-HNT:scheduler_hints'?: unknown;
}

function isNetworks(value: unknown): boolean {
  return value === 'none' || value === 'auto' || (Array.isArray(value) && value.length === 0);
}
