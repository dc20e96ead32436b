/** Who may do what. */
import { Feature } from '@cumulet/common/service/feature';
import { Access } from './access.js';
import { AclRules } from './acl-rules.js';
import { Grantees } from './grantees.js';
import { projects } from './projects.port.js';

@Feature({ providers: [Access, AclRules, Grantees, projects] })
export class AccessModule {}
