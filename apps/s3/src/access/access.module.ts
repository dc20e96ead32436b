/** Who may do what. */
import { Feature } from '@cumulet/common/service/feature';
import { Access } from './access.js';

@Feature({ providers: [Access] })
export class AccessModule {}
