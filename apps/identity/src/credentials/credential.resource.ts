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
import { idOf } from '../resource/resource.attributes.js';
import { ResourceColumns } from '../resource/resource.columns.js';
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
    about: 'The type of the secret: `ec2`, or whatever its client calls it.',
    required: true,
  }),
  /** Kept encrypted. */
  blob: givenOnly(text({ max: MAX_BLOB }), {
    about: 'The secret itself; of the type ec2 the JSON of an object with access and secret.',
    required: true,
  }),
} as const;

/**
 * A secret that identifies a user to services of other kinds: an EC2 access key, or anything else.
 */
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
  /** Of an access key that was made by a token of a trust: it acts within that, and goes with it. */
  @Column('text', { name: 'trust_id', nullable: true })
  @ForeignKey(() => Trust, { name: 'credentials_trust_id_fkey', onDelete: 'CASCADE' })
  @Index('credentials_trust_id_idx')
  trustId: TrustId | null;

  /**
   * Of what a token of an application credential has made: an access key acts within that, and each
   * goes with it.
   */
  @Column('text', { name: 'application_credential_id', nullable: true })
  @ForeignKey(() => ApplicationCredential, {
    name: 'credentials_application_credential_id_fkey',
    onDelete: 'CASCADE',
  })
  @Index('credentials_application_credential_id_idx')
  applicationCredentialId: ApplicationCredentialId | null;

  /**
   * False for one from before there was `applicationCredentialId`: an application credential may have
   * made it, and it is not bound to that.
   */
  @Column('boolean', { name: 'is_maker_known', default: false })
  isMakerKnown: boolean;

  /** What the client gave as `blob`, encrypted under the configured key. */
  @Column('text', { name: 'sealed_blob' })
  sealedBlob: string;
}

/** A credential with its secret in clear. It lives as long as a request, and is never logged. */
export interface OpenCredential extends Omit<
  Credential,
  'sealedBlob' | 'createdAt' | 'isMakerKnown'
> {
  readonly blob: string;
}

/** The delegation within which a credential acts, and with which it ends; of one at most. */
export type Binding = Pick<Credential, 'trustId' | 'applicationCredentialId'>;

/** What bodies have beside the attributes. */
class CredentialFields {
  @ReadOnlyField()
  links?: unknown;

  @ExtraProperties()
  extra?: Extra;
}

const FieldsDto = dtoOf(CREDENTIAL, CredentialFields);

export class CreateCredentialDto extends FieldsDto {
  /** Drawn at creation, or made from an access key, whatever is sent. */
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
