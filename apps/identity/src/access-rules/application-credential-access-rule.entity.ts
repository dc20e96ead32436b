import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import {
  ApplicationCredential,
  type ApplicationCredentialId,
} from '../application-credentials/application-credential.entity.js';
import { AccessRule, type AccessRuleId } from './access-rule.entity.js';

const KEY = 'application_credential_access_rules_pkey';

@Entity('application_credential_access_rules')
export class ApplicationCredentialAccessRule {
  @PrimaryColumn('text', { name: 'application_credential_id', primaryKeyConstraintName: KEY })
  @ForeignKey(() => ApplicationCredential, {
    name: 'application_credential_access_rules_credential_fkey',
    onDelete: 'CASCADE',
  })
  applicationCredentialId: ApplicationCredentialId;

  /** A rule that a credential has cannot be removed. */
  @PrimaryColumn('text', { name: 'access_rule_id', primaryKeyConstraintName: KEY })
  @ForeignKey(() => AccessRule, { name: 'application_credential_access_rules_rule_fkey' })
  @Index('application_credential_access_rules_rule_idx')
  accessRuleId: AccessRuleId;
}
