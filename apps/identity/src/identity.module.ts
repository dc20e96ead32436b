import { Module, type DynamicModule } from '@nestjs/common';
import { TokenVerifier } from '@cumulet/common/auth/token-verifier';
import { Seal } from '@cumulet/common/crypto/seal';
import type { IdentityConfig } from './config.js';
import { IDENTITY_CONFIG } from './injection-tokens.js';
import { PasswordHasher } from './passwords/password-hasher.js';
import { Keyring } from './signing-keys/keyring.js';
import { AccessKeysController } from './access-keys/access-keys.controller.js';
import { AccessKeysService } from './access-keys/access-keys.service.js';
import { AccessRulesController } from './access-rules/access-rules.controller.js';
import { ApplicationCredentialsController } from './application-credentials/application-credentials.controller.js';
import { ApplicationCredentialsService } from './application-credentials/application-credentials.service.js';
import { CatalogRepository } from './catalog/catalog.repository.js';
import { CredentialsController } from './credentials/credentials.controller.js';
import { CredentialsService } from './credentials/credentials.service.js';
import { DomainDependentsRepository } from './domains/domain-dependents.repository.js';
import { DomainConfigsController } from './domain-configs/domain-configs.controller.js';
import { DomainConfigsService } from './domain-configs/domain-configs.service.js';
import { DomainRepository } from './domains/domain.repository.js';
import { DomainsController } from './domains/domains.controller.js';
import { DomainsService } from './domains/domains.service.js';
import { Ec2CredentialsController } from './ec2-credentials/ec2-credentials.controller.js';
import { Ec2CredentialsService } from './ec2-credentials/ec2-credentials.service.js';
import { Ec2TokensController } from './ec2-tokens/ec2-tokens.controller.js';
import { Ec2TokensService } from './ec2-tokens/ec2-tokens.service.js';
import { EndpointsController } from './endpoints/endpoints.controller.js';
import { EndpointsService } from './endpoints/endpoints.service.js';
import { GrantsController } from './grants/grants.controller.js';
import { GrantsService } from './grants/grants.service.js';
import { InheritedGrantsController } from './grants/inherited-grants.controller.js';
import { GroupMemberRepository } from './groups/group-member.repository.js';
import { GroupMembersController } from './groups/group-members.controller.js';
import { GroupMembersService } from './groups/group-members.service.js';
import { GroupRepository } from './groups/group.repository.js';
import { GroupsOfUserController } from './groups/groups-of-user.controller.js';
import { GroupsController } from './groups/groups.controller.js';
import { GroupsService } from './groups/groups.service.js';
import { UnreadBodies } from './http/unread-bodies.js';
import { UnsupportedController } from './http/unsupported.controller.js';
import { LimitRepository } from './limits/limit.repository.js';
import { LimitsController } from './limits/limits.controller.js';
import { LimitsService } from './limits/limits.service.js';
import { LoginAttempts } from './passwords/login-attempts.js';
import { LoginFailureRepository } from './passwords/login-failure.repository.js';
import { PasswordRepository } from './passwords/password.repository.js';
import { PasswordsController } from './passwords/passwords.controller.js';
import { PasswordsService } from './passwords/passwords.service.js';
import { PolicyTargetRepository } from './policy/policy-target.repository.js';
import { PolicyTargets } from './policy/policy-targets.js';
import { PolicyGuard } from './policy/policy.guard.js';
import { ProjectTagsController } from './project-tags/project-tags.controller.js';
import { ProjectTagsService } from './project-tags/project-tags.service.js';
import { ProjectReadsService } from './projects/project-reads.service.js';
import { ProjectTreeRepository } from './projects/project-tree.repository.js';
import { ProjectRepository } from './projects/project.repository.js';
import { ProjectsController } from './projects/projects.controller.js';
import { ProjectsService } from './projects/projects.service.js';
import { RegionsController } from './regions/regions.controller.js';
import { RegionsService } from './regions/regions.service.js';
import { RegisteredLimitRepository } from './registered-limits/registered-limit.repository.js';
import { RegisteredLimitsController } from './registered-limits/registered-limits.controller.js';
import { RegisteredLimitsService } from './registered-limits/registered-limits.service.js';
import { RevocationRepository } from './revocations/revocation.repository.js';
import { RevocationsController } from './revocations/revocations.controller.js';
import { RevocationsService } from './revocations/revocations.service.js';
import { ListedAssignmentRepository } from './role-assignments/listed-assignment.repository.js';
import { RoleAssignmentRepository } from './role-assignments/role-assignment.repository.js';
import { RoleAssignmentsController } from './role-assignments/role-assignments.controller.js';
import { RoleAssignmentsService } from './role-assignments/role-assignments.service.js';
import { ImpliedRolesController } from './role-inferences/implied-roles.controller.js';
import { RoleInferenceRepository } from './role-inferences/role-inference.repository.js';
import { RoleInferencesController } from './role-inferences/role-inferences.controller.js';
import { RoleInferencesService } from './role-inferences/role-inferences.service.js';
import { RoleRepository } from './roles/role.repository.js';
import { RolesController } from './roles/roles.controller.js';
import { RolesService } from './roles/roles.service.js';
import { ServicesController } from './services/services.controller.js';
import { ServicesService } from './services/services.service.js';
import { SigningKeyRepository } from './signing-keys/signing-key.repository.js';
import { SigningKeysController } from './signing-keys/signing-keys.controller.js';
import { SystemGroupGrantsController } from './grants/system-group-grants.controller.js';
import { SystemUserGrantsController } from './grants/system-user-grants.controller.js';
import { AuthController } from './tokens/auth.controller.js';
import { Authenticator } from './tokens/authenticator.js';
import { TokenGrants } from './tokens/token-grants.js';
import { ApplicationCredentialMethod } from './tokens/methods/application-credential.method.js';
import { PasswordMethod } from './tokens/methods/password.method.js';
import { TokenMethod } from './tokens/methods/token.method.js';
import { TotpMethod } from './tokens/methods/totp.method.js';
import { Receipts } from './tokens/receipts.js';
import { ScopeRepository } from './tokens/scope.repository.js';
import { SubjectTokens } from './tokens/subject-tokens.js';
import { TokensController } from './tokens/tokens.controller.js';
import { TokensService } from './tokens/tokens.service.js';
import { TrustRepository } from './trusts/trust.repository.js';
import { TrustsController } from './trusts/trusts.controller.js';
import { TrustsService } from './trusts/trusts.service.js';
import { UserRepository } from './users/user.repository.js';
import { UsersController } from './users/users.controller.js';
import { UsersService } from './users/users.service.js';
import { VersionsController } from './versions/versions.controller.js';

/** What lives as long as the app, and is made outside of Nest. */
export interface IdentityParts {
  readonly config: IdentityConfig;
  readonly keyring: Keyring;
  readonly passwords: PasswordHasher;
  readonly seal: Seal;
  readonly verifier: TokenVerifier;
}

@Module({})
export class IdentityModule {
  static with({ config, keyring, passwords, seal, verifier }: IdentityParts): DynamicModule {
    return {
      module: IdentityModule,
      controllers: [
        AccessKeysController,
        AccessRulesController,
        ApplicationCredentialsController,
        AuthController,
        CredentialsController,
        DomainConfigsController,
        DomainsController,
        Ec2CredentialsController,
        Ec2TokensController,
        EndpointsController,
        GrantsController,
        GroupMembersController,
        GroupsController,
        GroupsOfUserController,
        ImpliedRolesController,
        InheritedGrantsController,
        LimitsController,
        PasswordsController,
        ProjectTagsController,
        ProjectsController,
        RegionsController,
        RegisteredLimitsController,
        RevocationsController,
        RoleAssignmentsController,
        RoleInferencesController,
        RolesController,
        ServicesController,
        SigningKeysController,
        SystemGroupGrantsController,
        SystemUserGrantsController,
        TokensController,
        TrustsController,
        UnsupportedController,
        UsersController,
        VersionsController,
      ],
      providers: [
        { provide: IDENTITY_CONFIG, useValue: config },
        { provide: Keyring, useValue: keyring },
        { provide: PasswordHasher, useValue: passwords },
        { provide: Seal, useValue: seal },
        { provide: TokenVerifier, useValue: verifier },
        AccessKeysService,
        ApplicationCredentialMethod,
        ApplicationCredentialsService,
        Authenticator,
        CatalogRepository,
        CredentialsService,
        DomainConfigsService,
        DomainDependentsRepository,
        DomainRepository,
        DomainsService,
        Ec2CredentialsService,
        Ec2TokensService,
        EndpointsService,
        TokenGrants,
        GrantsService,
        GroupMemberRepository,
        GroupMembersService,
        GroupRepository,
        GroupsService,
        LimitRepository,
        LimitsService,
        ListedAssignmentRepository,
        LoginAttempts,
        LoginFailureRepository,
        PasswordMethod,
        PasswordRepository,
        PasswordsService,
        PolicyGuard,
        PolicyTargetRepository,
        PolicyTargets,
        ProjectReadsService,
        ProjectRepository,
        ProjectTagsService,
        ProjectTreeRepository,
        ProjectsService,
        Receipts,
        RegionsService,
        RegisteredLimitRepository,
        RegisteredLimitsService,
        RevocationRepository,
        RevocationsService,
        RoleAssignmentRepository,
        RoleAssignmentsService,
        RoleInferenceRepository,
        RoleInferencesService,
        RoleRepository,
        RolesService,
        ScopeRepository,
        ServicesService,
        SigningKeyRepository,
        SubjectTokens,
        TokenMethod,
        TokensService,
        TotpMethod,
        TrustRepository,
        TrustsService,
        UnreadBodies,
        UserRepository,
        UsersService,
      ],
    };
  }
}
