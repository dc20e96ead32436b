import { defineService } from '@cumulet/common/app/define-service';
import { SealedSecrets1799800000000 } from '@cumulet/common/sealing/sealed-secrets.migration';
import { AccessKeysModule } from './access-keys/access-keys.controller.js';
import { ApplicationCredentialsModule } from './application-credentials/application-credentials.controller.js';
import { BootstrapModule } from './bootstrap/bootstrap.js';
import { identitySettings } from './config.js';
import { CredentialsModule } from './credentials/credentials.controller.js';
import { Core1763700000000 } from './database/migrations/1763700000000-core.js';
import { Directory1795219200000 } from './database/migrations/1795219200000-directory.js';
import { Delegation1795222800000 } from './database/migrations/1795222800000-delegation.js';
import { Catalog1795226400000 } from './database/migrations/1795226400000-catalog.js';
import { ExtraProperties1795500000000 } from './database/migrations/1795500000000-extra-properties.js';
import { DomainConfigs1795900000000 } from './database/migrations/1795900000000-domain-configs.js';
import { PoliciesAndFilters1796000000000 } from './database/migrations/1796000000000-policies-and-filters.js';
import { ListIndexes1796100000000 } from './database/migrations/1796100000000-list-indexes.js';
import { LimitsOutliveServices1796203600000 } from './database/migrations/1796203600000-limits-outlive-services.js';
import { DomainsAsProjects1796400000000 } from './database/migrations/1796400000000-domains-as-projects.js';
import { AccessKeysOfTrusts1798200000000 } from './database/migrations/1798200000000-access-keys-of-trusts.js';
import { BoundToApplicationCredentials1799700000000 } from './database/migrations/1799700000000-bound-to-application-credentials.js';
import { ExtraOfDomains1799710000000 } from './database/migrations/1799710000000-extra-of-domains.js';
import { UserLimits1799690000000 } from './database/migrations/1799690000000-user-limits.js';
import { DomainConfigsModule } from './domain-configs/domain-configs.controller.js';
import { DomainsModule } from './domains/domains.controller.js';
import { EndpointGroupsModule } from './endpoint-groups/endpoint-groups.controller.js';
import { EndpointsModule } from './endpoints/endpoints.controller.js';
import { GrantsModule } from './grants/grants.controller.js';
import { GroupsModule } from './groups/groups.controller.js';
import { UNSUPPORTED_OPERATIONS } from './http/unsupported-operations.js';
import { LimitsModule } from './limits/limits.controller.js';
import { PasswordsModule } from './users/passwords/passwords.service.js';
import { PoliciesModule } from './policies/policies.controller.js';
import { PolicyModule } from './policy/protected.js';
import { ProjectsModule } from './projects/projects.controller.js';
import { RegionsModule } from './regions/regions.controller.js';
import { RevocationsModule } from './revocations/revocations.controller.js';
import { RoleInferencesModule } from './role-inferences/role-inferences.controller.js';
import { RolesModule } from './roles/roles.controller.js';
import { ServicesModule } from './services/services.controller.js';
import { SigningKeysModule } from './signing-keys/signing-keys.controller.js';
import { TokensModule } from './tokens/tokens.controller.js';
import { TrustsModule } from './trusts/trusts.controller.js';
import { UsersModule } from './users/users.controller.js';
import { VersionsModule } from './versions/versions.controller.js';

export const identityService = defineService({
  name: 'identity',
  title: 'Cumulet identity (Keystone v3)',
  serviceType: 'identity',
  path: '/identity',
  ignoresBesides: true,
  settings: identitySettings,
  // Bootstrap makes the first signing key, which the keyring then loads.
  features: [
    BootstrapModule,
    SigningKeysModule,
    AccessKeysModule,
    ApplicationCredentialsModule,
    CredentialsModule,
    DomainConfigsModule,
    DomainsModule,
    EndpointGroupsModule,
    EndpointsModule,
    GrantsModule,
    GroupsModule,
    LimitsModule,
    PasswordsModule,
    PoliciesModule,
    PolicyModule,
    ProjectsModule,
    RegionsModule,
    RevocationsModule,
    RoleInferencesModule,
    RolesModule,
    ServicesModule,
    TokensModule,
    TrustsModule,
    UsersModule,
    VersionsModule,
  ],
  migrations: [
    Core1763700000000,
    Directory1795219200000,
    Delegation1795222800000,
    Catalog1795226400000,
    ExtraProperties1795500000000,
    DomainConfigs1795900000000,
    PoliciesAndFilters1796000000000,
    ListIndexes1796100000000,
    LimitsOutliveServices1796203600000,
    DomainsAsProjects1796400000000,
    AccessKeysOfTrusts1798200000000,
    UserLimits1799690000000,
    BoundToApplicationCredentials1799700000000,
    ExtraOfDomains1799710000000,
    SealedSecrets1799800000000,
  ],
  // `{"error": {"code": 404, "message": "…", "title": "Not Found"}}`, as Keystone v3 answers.
  envelope: ({ status, message, title }) => ({ error: { code: status, message, title } }),
  unsupported: UNSUPPORTED_OPERATIONS,
  vary: ['X-Auth-Token'],
});
