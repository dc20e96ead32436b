/** Public source: Nova API reference, "Rebuild Server (rebuild Action)". */
import {
  BooleanField,
  CheckedField,
  EnumField,
  ListField,
  StringField,
  UnsupportedField,
  UuidField,
} from '@cumulet/common/http/fields';
import { InjectedFileDto, isUserData } from '../../servers/dto/injected-files.js';
import { MetadataField } from '../../servers/metadata/server-metadata.dto.js';
import { DISK_CONFIGS, type DiskConfig } from '../../servers/server.entity.js';
import {
  AccessAddressField,
  HostnameField,
  NameField,
  ServerDescriptionField,
} from '../../servers/server.dto.js';

export class RebuildDto {
  @UuidField()
  imageRef: string;

  @NameField({ optional: true })
  name?: string;

  @StringField({ optional: true })
  adminPass?: string;

  @MetadataField({ optional: true })
  metadata?: Record<string, string>;

  @BooleanField({
    optional: true,
    fromText: true,
    description: 'Must not be true: the rebuild creates all disks anew.',
  })
  preserve_ephemeral?: boolean;

  @EnumField(DISK_CONFIGS, { optional: true, description: 'Stored, but has no effect.' })
  'OS-DCF:diskConfig'?: DiskConfig;

  @AccessAddressField(4)
  accessIPv4?: string;

  @AccessAddressField(6)
  accessIPv6?: string;

  @ListField(() => InjectedFileDto, { optional: true, description: 'Until 2.56.' })
  personality?: InjectedFileDto[];

  @ServerDescriptionField({ description: 'Since 2.19.' })
  description?: string | null;

  @StringField({
    optional: true,
    nullable: true,
    description: 'The name of a key pair; null for none. Since 2.54.',
  })
  key_name?: string | null;

  @CheckedField(
    isUserData,
    'must be base64 of at most 65535 bytes',
    { type: 'string', maxLength: 65_535 },
    { optional: true, nullable: true, description: 'Since 2.57.' },
  )
  user_data?: string | null;

  @HostnameField()
  hostname?: string;

  @UnsupportedField('image certificates are not offered')
  trusted_image_certificates?: unknown;
}
