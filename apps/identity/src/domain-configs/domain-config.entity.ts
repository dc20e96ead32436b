import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { DomainId } from '@cumulet/common/context/ids';
import { Domain } from '../domains/domain.resource.js';

/** What the administrator of a domain has configured for it. */
@Entity('domain_configs')
export class StoredDomainConfig {
  @PrimaryColumn('text', { name: 'domain_id', primaryKeyConstraintName: 'domain_configs_pkey' })
  @ForeignKey(() => Domain, { name: 'domain_configs_domain_id_fkey', onDelete: 'CASCADE' })
  domainId: DomainId;

  /** JSON, encrypted under the configured key: it holds passwords. */
  @Column('text', { name: 'sealed_config' })
  sealedConfig: string;
}
