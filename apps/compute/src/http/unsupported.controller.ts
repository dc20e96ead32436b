import { Refuses } from '@cumulet/common/http/unsupported-operations';
import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { UNSUPPORTED_OPERATIONS } from './unsupported-operations.js';

/** What is not offered answers by name that it is not: 501, to every token. */
@ApiTags('not supported')
@Controller()
@Refuses(UNSUPPORTED_OPERATIONS)
export class UnsupportedController {}
