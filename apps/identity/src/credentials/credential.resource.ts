/** Public source: Keystone API reference, "Credentials". */
import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import type { Id, ProjectId, UserId } from '@cumulet/common/context/ids';
import { StringField } from '@cumulet/common/http/fields';
import { Shown } from '@cumulet/common/http/shown';
import { attribute, givenOnly } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { orNull, text } from '@cumulet/common/resources/field-type';
import { SortedBy } from '@cumulet/common/tables/listing';
import {
  ApplicationCredential,
  type ApplicationCredentialId,
} from '../application-credentials/application-credential.resource.js';
import { Project } from '../projects/project.resource.js';
import { idOf, ResourceColumns } from '../resource/resource.attributes.js';
import {
  changeOf,
  dtoOf,
  ExtensibleField,
  type Extra,
  ExtraProperties,
  PageQuery,
  ReadOnlyField,
  TextFilter,
} from '../resource/resource.dto.js';
import { resourceViewOf } from '../resource/resource.view.js';
import { Trust, type TrustId } from '../trusts/trust.resource.js';
import { User } from '../users/user.resource.js';

export type CredentialId = Id<'Credential'>;

const MAX_BLOB = 65_536;
const ID = { max: 64 } as const;

export const CREDENTIAL = {
  /** For an access key, the SHA-256 of the key in hexadecimal, so that the key finds it. */
  id: idOf<CredentialId>('credentials'),
  userId: attribute(text<UserId>(ID), {
    about: 'The ID of the user that it belongs to.',
    required: true,
  }),
  projectId: attribute(orNull(text<ProjectId>(ID)), {
    about: 'The ID of the project that it is for.',
  }),
  type: attribute(text(), {
    about: 'The type of the secret: `ec2`, `totp` or any other.',
    required: true,
  }),
  /** Kept encrypted. */
  blob: givenOnly(text({ max: MAX_BLOB }), {
    about: 'The secret; for the type ec2, a JSON object with access and secret.',
    required: true,
  }),
} as const;

@Entity('credentials')
@Index('credentials_user_id_idx', ['userId', 'type'])
@Index('credentials_page_idx', ['createdAt', 'id'])
@Index('credentials_unknown_maker_idx', ['createdAt', 'id'], {
  where: `type = 'ec2' AND NOT is_maker_known`,
})
@Index('credentials_project_id_idx', ['projectId'])
@Check('credentials_binding_check', 'trust_id IS NULL OR application_credential_id IS NULL')
@ForeignKey(() => User, ['userId'], ['id'], {
  name: 'credentials_user_id_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => Project, ['projectId'], ['id'], {
  name: 'credentials_project_id_fkey',
  onDelete: 'CASCADE',
})
export class Credential extends rowOf(CREDENTIAL, ResourceColumns) {
  /** The trust whose token created the access key; it limits the key and ends it. */
  @Column('text', { name: 'trust_id', nullable: true })
  @ForeignKey(() => Trust, { name: 'credentials_trust_id_fkey', onDelete: 'CASCADE' })
  @Index('credentials_trust_id_idx')
  trustId: TrustId | null;

  /** The application credential whose token created it; it limits access keys, and ends any credential. */
  @Column('text', { name: 'application_credential_id', nullable: true })
  @ForeignKey(() => ApplicationCredential, {
    name: 'credentials_application_credential_id_fkey',
    onDelete: 'CASCADE',
  })
  @Index('credentials_application_credential_id_idx')
  applicationCredentialId: ApplicationCredentialId | null;

  /** False for one that is older than `applicationCredentialId`, whose maker was not recorded. */
  @Column('boolean', { name: 'is_maker_known', default: false })
  isMakerKnown: boolean;

  /** The `blob`, encrypted under the configured key. */
  @Column('text', { name: 'sealed_blob' })
  sealedBlob: string;
}

/** A credential with its secret in plain text. It lives as long as a request, and is never logged. */
export interface OpenCredential extends Omit<
  Credential,
  'sealedBlob' | 'createdAt' | 'isMakerKnown'
> {
  readonly blob: string;
}

/** The delegation that limits a credential and ends it; at most one of the two. */
export type Binding = Pick<Credential, 'trustId' | 'applicationCredentialId'>;

class CredentialFields {
  @ReadOnlyField()
  links?: unknown;

  @ExtraProperties()
  extra?: Extra;
}

const FieldsDto = dtoOf(CREDENTIAL, CredentialFields);

export class CreateCredentialDto extends FieldsDto {
  /** Ignored: the ID is random, or derived from the access key. */
  @ReadOnlyField()
  id?: unknown;

  @StringField({ description: CREDENTIAL.type.about, example: 'ec2' })
  type: string;
}

export class CreateCredentialBody {
  @ExtensibleField(() => CreateCredentialDto)
  credential: CreateCredentialDto;
}

export class UpdateCredentialDto extends changeOf(FieldsDto) {
  @StringField({ ...ID, optional: true })
  id?: string;
}

export class UpdateCredentialBody {
  @ExtensibleField(() => UpdateCredentialDto)
  credential: UpdateCredentialDto;
}

@SortedBy(['createdAt'])
export class ListCredentialsQuery extends PageQuery {
  @TextFilter(ID)
  user_id?: string;

  @TextFilter()
  type?: string;
}

export class CredentialView extends resourceViewOf(CREDENTIAL, {
  type: Shown(String, CREDENTIAL.type.about, { example: 'ec2' }),
  blob: Shown(String, CREDENTIAL.blob.about),
}) {}
