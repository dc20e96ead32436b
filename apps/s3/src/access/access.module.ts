/** Who may do what. */
import { Feature } from '@cumulet/common/service/feature';
import { Access } from './access.js';
import { AclRules } from './acl-rules.js';
import { GetBucketAcl, PutBucketAcl } from './bucket-acl.operations.js';
import { Grantees, projects } from './grantees.js';
import {
  DeleteBucketPolicy,
  GetBucketPolicy,
  GetBucketPolicyStatus,
  PutBucketPolicy,
} from './policy/policy.operations.js';

@Feature({
  providers: [
    Access,
    AclRules,
    DeleteBucketPolicy,
    GetBucketAcl,
    GetBucketPolicy,
    GetBucketPolicyStatus,
    Grantees,
    PutBucketAcl,
    PutBucketPolicy,
    projects,
  ],
})
export class AccessModule {}
