/** Who may do what. */
import { Feature } from '@cumulet/common/service/feature';
import { Access } from './access.js';
import { AclRules } from './acl-rules.js';
import { GetBucketAcl } from './get-bucket-acl.operation.js';
import { GetObjectAcl } from './get-object-acl.operation.js';
import { Grantees } from './grantees.js';
import { DeleteBucketPolicy } from './policy/delete-bucket-policy.operation.js';
import { GetBucketPolicyStatus } from './policy/get-bucket-policy-status.operation.js';
import { GetBucketPolicy } from './policy/get-bucket-policy.operation.js';
import { PutBucketPolicy } from './policy/put-bucket-policy.operation.js';
import { projects } from './projects.port.js';
import { PutBucketAcl } from './put-bucket-acl.operation.js';
import { PutObjectAcl } from './put-object-acl.operation.js';

@Feature({
  providers: [
    Access,
    AclRules,
    DeleteBucketPolicy,
    GetBucketAcl,
    GetBucketPolicy,
    GetBucketPolicyStatus,
    GetObjectAcl,
    Grantees,
    PutBucketAcl,
    PutBucketPolicy,
    PutObjectAcl,
    projects,
  ],
})
export class AccessModule {}
